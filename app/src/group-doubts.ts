import { type Doubts, type SkinWeights, VERTEX_DOUBTS, type VertexDoubt } from "../../src/index.ts";

/** Vertices that share a reason and a heaviest joint. */
export interface DoubtGroup {
  reason: VertexDoubt;
  joint: number;
  vertices: number[];
}

/** Smaller groups are noise, in shares of all vertices, and at least so many vertices. */
const NOISE = 0.002;
const FEWEST = 3;

/** A vertex far from all bones that follows one of them by this much has nothing doubtful: a hat's brim, say. */
const SURE = 0.5;

/**
 * Sorts doubtful vertices into few groups, the largest first, so that a list of them can be read; groups
 * of a few vertices among thousands are left out.
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
  const least = Math.max(FEWEST, NOISE * vertices.length);
  return [...groups.values()]
    .filter((group) => group.vertices.length >= least)
    .sort((a, b) => b.vertices.length - a.vertices.length);
}

/** How many vertices are in any of the groups. */
export function doubtfulVertices(groups: DoubtGroup[]): number {
  return new Set(groups.flatMap(({ vertices }) => vertices)).size;
}
