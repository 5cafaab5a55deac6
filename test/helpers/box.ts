import type { Mesh } from "../../src/mesh/mesh.ts";

/** A box between two corners, as a mesh of eight vertices. */
export function box(low: readonly number[], high: readonly number[]): Mesh {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
    [0, 1, 2].map((axis) => ((i >> axis) & 1 ? high : low)[axis]),
  );
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
