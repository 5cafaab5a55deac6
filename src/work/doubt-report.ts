import {
  BONE_DOUBTS,
  type BoneDoubt,
  type Doubts,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "../solve/find-doubts.ts";

/** Doubts as a report holds them; described in docs/report.md. */
export interface DoubtReport {
  vertices: {
    /** Vertices with at least one reason. */
    count: number;
    /** For each reason how many vertices have it, and the first of them. */
    reasons: Record<VertexDoubt, { count: number; first: number[] }>;
  };
  bones: {
    count: number;
    reasons: Record<BoneDoubt, number>;
    /** The first bones with their reasons. */
    list: { joint: number; name: string; reasons: BoneDoubt[] }[];
  };
}

/** Entries a list of the report has at most; counts are always whole. */
export const MOST_LISTED = 1000;

/**
 * Counts doubts by reason and lists the first of each.
 *
 * @param names J, of the joints
 */
export function reportDoubts({ vertices, bones }: Doubts, names: readonly string[]): DoubtReport {
  const byReason = VERTEX_DOUBTS.map((reason, bit) => {
    const entry = { count: 0, first: [] as number[] };
    vertices.forEach((bits, vertex) => {
      if (((bits >> bit) & 1) === 0) return;
      if (entry.count++ < MOST_LISTED) entry.first.push(vertex);
    });
    return [reason, entry] as const;
  });
  const byJoint = new Map<number, BoneDoubt[]>();
  for (const { joint, reason } of bones) {
    byJoint.set(joint, [...(byJoint.get(joint) ?? []), reason]);
  }
  return {
    vertices: {
      count: vertices.reduce((count, bits) => count + (bits === 0 ? 0 : 1), 0),
      reasons: Object.fromEntries(byReason) as DoubtReport["vertices"]["reasons"],
    },
    bones: {
      count: byJoint.size,
      reasons: Object.fromEntries(
        BONE_DOUBTS.map((reason) => [reason, bones.filter((b) => b.reason === reason).length]),
      ) as DoubtReport["bones"]["reasons"],
      list: [...byJoint]
        .slice(0, MOST_LISTED)
        .map(([joint, reasons]) => ({ joint, name: names[joint], reasons })),
    },
  };
}
