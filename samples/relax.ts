import { vertexNeighbors } from "../src/mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../src/mesh/mesh.ts";
import type { SignedDistance } from "./signed-distance.ts";

/** How far a vertex moves towards the mean of its neighbors in one step. */
const STRIDE = 0.6;

/** Maximum movement back to the surface at once, as a fraction of the step length. */
const LONGEST = 0.5;

/**
 * Evens out the triangles of a mesh on the surface of a solid: each vertex moves towards the mean of its
 * neighbors, then back onto the surface.
 *
 * @param cell about the length of an edge
 */
export function relax(mesh: Mesh, shape: SignedDistance, cell: number, steps: number): Mesh {
  const count = vertexCount(mesh);
  const { starts, items } = vertexNeighbors(mesh.triangles, count);
  let positions = Float64Array.from(mesh.positions);
  for (let step = 0; step < steps; step++) {
    const next = positions.slice();
    for (let vertex = 0; vertex < count; vertex++) {
      const degree = starts[vertex + 1] - starts[vertex];
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let i = starts[vertex]; i < starts[vertex + 1]; i++)
          sum += positions[items[i] * 3 + axis];
        const at = vertex * 3 + axis;
        next[at] += STRIDE * (sum / degree - positions[at]);
      }
      settle(next, vertex * 3, shape, cell);
    }
    positions = next;
  }
  return { positions: Float32Array.from(positions), triangles: mesh.triangles };
}

/** One Newton step along the gradient onto the surface. */
function settle(positions: Float64Array, at: number, shape: SignedDistance, cell: number): void {
  const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
  const h = cell * 0.05;
  const d = shape(x, y, z);
  const gx = (shape(x + h, y, z) - d) / h;
  const gy = (shape(x, y + h, z) - d) / h;
  const gz = (shape(x, y, z + h) - d) / h;
  const square = gx * gx + gy * gy + gz * gz;
  // At a ridge of the distance the gradient is meaningless: stay.
  if (square < 0.05) return;
  const most = (LONGEST * cell) / Math.sqrt(square);
  const stride = Math.max(-most, Math.min(most, d / square));
  positions[at] -= gx * stride;
  positions[at + 1] -= gy * stride;
  positions[at + 2] -= gz * stride;
}
