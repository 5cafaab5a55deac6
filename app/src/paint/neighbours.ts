import type { Mesh, SkinWeights } from "../../../src/index.ts";

/** The vertices around each vertex: those of v are list[starts[v]] to list[starts[v + 1] - 1]. */
export interface Neighbours {
  starts: Int32Array;
  list: Int32Array;
}

/** Finds the neighbours of each vertex along the edges of a mesh. */
export function meshNeighbours({ positions, triangles }: Mesh): Neighbours {
  const around = Array.from({ length: positions.length / 3 }, () => new Set<number>());
  for (let i = 0; i < triangles.length; i += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const [a, b] = [triangles[i + corner], triangles[i + ((corner + 1) % 3)]];
      around[a].add(b);
      around[b].add(a);
    }
  }
  const starts = new Int32Array(around.length + 1);
  around.forEach((set, v) => {
    starts[v + 1] = starts[v] + set.size;
  });
  return { starts, list: Int32Array.from(around.flatMap((set) => [...set])) };
}

/**
 * A vertex's weights moved towards the mean of its neighbours', by joint.
 *
 * @param strength 0 keeps them, 1 takes the mean
 */
export function neighbourMean(
  weights: SkinWeights,
  { starts, list }: Neighbours,
  v: number,
  strength: number,
): Map<number, number> {
  const sum = new Map<number, number>();
  const add = (row: number, factor: number) => {
    const { influences, joints } = weights;
    for (let slot = row * influences; slot < (row + 1) * influences; slot++) {
      const share = weights.weights[slot] * factor;
      if (share > 0) sum.set(joints[slot], (sum.get(joints[slot]) ?? 0) + share);
    }
  };
  const count = starts[v + 1] - starts[v];
  add(v, count === 0 ? 1 : 1 - strength);
  for (let i = starts[v]; i < starts[v + 1]; i++) add(list[i], strength / count);
  return sum;
}
