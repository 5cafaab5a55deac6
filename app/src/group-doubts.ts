import { type Doubts, type SkinWeights, VERTEX_DOUBTS, type VertexDoubt } from "../../src/index.ts";

/** Vertices that share a reason and a heaviest joint. */
export interface DoubtGroup {
  reason: VertexDoubt;
  joint: number;
  vertices: number[];
}

/** Sorts doubtful vertices into few groups, the largest first, so that a list of them can be read. */
export function groupDoubts({ vertices }: Doubts, weights: SkinWeights): DoubtGroup[] {
  const groups = new Map<string, DoubtGroup>();
  vertices.forEach((bits, v) => {
    const joint = weights.joints[v * weights.influences];
    VERTEX_DOUBTS.forEach((reason, bit) => {
      if ((bits & (1 << bit)) === 0) return;
      const key = `${reason}/${joint}`;
      const group = groups.get(key) ?? { reason, joint, vertices: [] };
      groups.set(key, group);
      group.vertices.push(v);
    });
  });
  return [...groups.values()].sort((a, b) => b.vertices.length - a.vertices.length);
}
