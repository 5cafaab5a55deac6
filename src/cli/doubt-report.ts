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

const VERTEX_TEXT: Record<VertexDoubt, string> = {
  tie: "torn between two bones",
  far: "far from every bone",
  unreachable: "in loose parts no bone reaches",
  clipped: "cut by the limit on influences",
  empty: "given no weight by the method",
};

const BONE_TEXT: Record<BoneDoubt, string> = {
  tie: "at the same place as another",
  far: "outside the body",
  clipped: "cut by the limit on influences",
  idle: "moving no vertex",
};

/** Doubts for people: a line for vertices and one for bones, where there are any. */
export function doubtLines({ vertices, bones }: DoubtReport, total: number): string[] {
  const lines: string[] = [];
  if (vertices.count > 0) {
    const reasons = VERTEX_DOUBTS.filter((reason) => vertices.reasons[reason].count > 0).map(
      (reason) => `${vertices.reasons[reason].count} ${VERTEX_TEXT[reason]}`,
    );
    const percent = Math.max(1, Math.round((100 * vertices.count) / total));
    lines.push(`${vertices.count} vertices (${percent} %): ${reasons.join(", ")}`);
  }
  for (const reason of BONE_DOUBTS) {
    if (bones.reasons[reason] === 0) continue;
    const names = bones.list.filter((bone) => bone.reasons.includes(reason));
    const shown = names.slice(0, SHOWN_NAMES).map(({ name }) => name);
    const more = bones.reasons[reason] > shown.length ? ", ..." : "";
    const bone = bones.reasons[reason] === 1 ? "bone" : "bones";
    lines.push(
      `${bones.reasons[reason]} ${bone} ${BONE_TEXT[reason]} (${shown.join(", ")}${more})`,
    );
  }
  return lines;
}

/** Joints named in a line. */
const SHOWN_NAMES = 3;
