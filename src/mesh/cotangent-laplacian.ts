import type { Lists } from "../math/arrays.ts";
import type { SymmetricMatrix } from "../math/sparse-cholesky.ts";
import { type Mesh, triangleCount, vertexCount } from "./mesh.ts";

/**
 * Weight of an edge between vertices, at least and at most. A cotangent of an obtuse angle is
 * negative and would let weights leave [0, 1]; one of a sliver is without bound.
 */
const SMALLEST_WEIGHT = 0.01;
const LARGEST_WEIGHT = 50;

/** A Laplacian and the area that goes with each vertex. */
export interface CotangentLaplacian {
  /** Positive semi-definite; rows sum to 0, off-diagonal values are negative. */
  matrix: SymmetricMatrix;
  /** V, a third of the triangles around each vertex; 0 where there is none. */
  areas: Float64Array;
}

/**
 * The cotangent Laplacian (half the sum of the cotangents opposite an edge), made safe for any mesh.
 *
 * Weights are clamped to a positive range, so the matrix is that of a random walk, whatever the
 * triangles: solutions obey the maximum principle and parts stay connected across slivers.
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
      values[placeOf(neighbors, a, b)] += cotangent / 2;
      values[placeOf(neighbors, b, a)] += cotangent / 2;
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

/** Area of a triangle and cotangent of its angle at `apex`; a degenerate one has a huge cotangent, not NaN. */
function angleAt(
  p: Float32Array,
  apex: number,
  a: number,
  b: number,
): { area: number; cotangent: number } {
  const ux = p[a] - p[apex];
  const uy = p[a + 1] - p[apex + 1];
  const uz = p[a + 2] - p[apex + 2];
  const vx = p[b] - p[apex];
  const vy = p[b + 1] - p[apex + 1];
  const vz = p[b + 2] - p[apex + 2];
  const twice = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return { area: twice / 2, cotangent: (ux * vx + uy * vy + uz * vz) / Math.max(twice, 1e-12) };
}

/** Where `to` stands in the row of `from`, by bisection: a fan's center has a row of thousands. */
function placeOf({ starts, items }: Lists, from: number, to: number): number {
  let low = starts[from];
  let high = starts[from + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle] < to) low = middle + 1;
    else high = middle;
  }
  return low;
}
