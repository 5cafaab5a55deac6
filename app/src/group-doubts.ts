import { type Doubts, type SkinWeights, VERTEX_DOUBTS, type VertexDoubt } from "../../src/index.ts";

/** Vertices that share a reason and a heaviest joint. */
export interface DoubtGroup {
  reason: VertexDoubt;
  joint: number;
  vertices: number[];
}

/** Minimum size of a group, as a fraction of all vertices and as a count; smaller groups are noise. */
const NOISE = 0.002;
const MIN_VERTICES = 3;

/** Minimum weight at which a vertex far from all bones clearly follows one of them, like the brim of a hat. */
const SURE = 0.5;

/**
 * Sorts doubtful vertices into few groups, the largest first, so that their list stays readable. Small groups
 * are omitted.
 */
export function groupDoubts({ vertices }: Doubts, weights: SkinWeights): DoubtGroup[] {
  const groups = new Map<string, DoubtGroup>();
  vertices.forEach((bits, v) => {
    const joint = weights.joints[v * weights.influences];
    VERTEX_DOUBTS.forEach((reason, bit) => {
      const isSure = reason === "far" && weights.weights[v * weights.influences] >= SURE;
      if ((bits & (1 << bit)) === 0 || isSure) return;
      const key = `${reason}/${joint}`;
      const group = groups.get(key) ?? { reason, joint, vertices: [] };
      groups.set(key, group);
      group.vertices.push(v);
    });
  });
  const minimum = Math.max(MIN_VERTICES, NOISE * vertices.length);
  return [...groups.values()]
    .filter((group) => group.vertices.length >= minimum)
    .sort((a, b) => b.vertices.length - a.vertices.length);
}

/** Number of vertices in all groups. */
export function doubtfulVertices(groups: DoubtGroup[]): number {
  return new Set(groups.flatMap(({ vertices }) => vertices)).size;
}
