import type { Lists } from "../math/arrays.ts";
import type { SymmetricMatrix } from "../math/symmetric-solver.ts";
import { type Mesh, triangleCount, vertexCount } from "./mesh.ts";

/** Range of edge weights. Cotangents of obtuse angles are negative, those of slivers are unbounded. */
const SMALLEST_WEIGHT = 0.01;
const LARGEST_WEIGHT = 50;

/** A Laplacian and the vertex areas. */
export interface CotangentLaplacian {
  /** Positive semi-definite; rows sum to 0, off-diagonal values are negative. */
  matrix: SymmetricMatrix;
  /** V, a third of the area of the triangles around each vertex. */
  areas: Float64Array;
}

/**
 * Builds the cotangent Laplacian (half the sum of the cotangents opposite an edge), robust for any mesh.
 *
 * Weights are clamped to a positive range, so the matrix is that of a random walk for any triangles:
 * solutions obey the maximum principle and parts stay connected across slivers.
 * Based on: Pinkall and Polthier. Computing discrete minimal surfaces and their conjugates. 1993.
 *
 * @param neighbors one-ring of each vertex
 */
export function cotangentLaplacian(mesh: Mesh, neighbors: Lists): CotangentLaplacian {
  const { triangles } = mesh;
  const values = new Float64Array(neighbors.items.length);
  const areas = new Float64Array(vertexCount(mesh));
  for (let f = 0; f < triangleCount(mesh) * 3; f += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const apex = triangles[f + corner];
      const a = triangles[f + ((corner + 1) % 3)];
      const b = triangles[f + ((corner + 2) % 3)];
      const { area, cotangent } = angleAt(mesh.positions, apex * 3, a * 3, b * 3);
      areas[apex] += area / 3;
      if (a === b) continue;
      values[entryOf(neighbors, a, b)] += cotangent / 2;
      values[entryOf(neighbors, b, a)] += cotangent / 2;
    }
  }
  const diagonal = new Float64Array(areas.length);
  for (let v = 0; v < diagonal.length; v++) {
    for (let i = neighbors.starts[v]; i < neighbors.starts[v + 1]; i++) {
      const weight = Math.min(Math.max(values[i], SMALLEST_WEIGHT), LARGEST_WEIGHT);
      values[i] = -weight;
      diagonal[v] += weight;
    }
  }
  return { matrix: { diagonal, pattern: neighbors, values }, areas };
}

/** Area of a triangle and cotangent of its angle at `apex`, which is finite for degenerate triangles. */
function angleAt(p: Float32Array, apex: number, a: number, b: number) {
  const [ux, uy, uz] = [p[a] - p[apex], p[a + 1] - p[apex + 1], p[a + 2] - p[apex + 2]];
  const [vx, vy, vz] = [p[b] - p[apex], p[b + 1] - p[apex + 1], p[b + 2] - p[apex + 2]];
  const twice = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return { area: twice / 2, cotangent: (ux * vx + uy * vy + uz * vz) / Math.max(twice, 1e-12) };
}

/** Index of `to` in the row of `from`, by bisection: rows may have thousands of entries. */
function entryOf({ starts, items }: Lists, from: number, to: number): number {
  let low = starts[from];
  let high = starts[from + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle] < to) low = middle + 1;
    else high = middle;
  }
  return low;
}
