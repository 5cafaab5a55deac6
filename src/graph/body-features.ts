import type { Lists } from "../math/arrays.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link bodyFeatures}, in order. */
export const BODY_FEATURES: readonly string[] = [
  "curvature.ring",
  "curvature.ball",
  "log.thickness",
];

/**
 * The shape of the body at each vertex: how far its surroundings bulge in or out, over the one-ring and over
 * the geodesic neighbors (a crease of an elbow is hollow, a knee is not), and half the thickness of the body
 * below it.
 *
 * @param neighbors one-ring of each vertex
 * @returns V×{@link BODY_FEATURES}
 */
export function bodyFeatures(
  { mesh: { positions }, normals, ball, thickness }: GraphInput,
  neighbors: Lists,
): Float32Array {
  const V = positions.length / 3;
  const width = BODY_FEATURES.length;
  const slots = ball.length / V;
  const out = new Float32Array(V * width);
  for (let v = 0; v < V; v++) {
    const ring = neighbors.items.subarray(neighbors.starts[v], neighbors.starts[v + 1]);
    out[v * width] = rise(positions, normals, v, ring);
    out[v * width + 1] = rise(positions, normals, v, ball.subarray(v * slots, (v + 1) * slots));
    out[v * width + 2] = logDistance(thickness[v] / 2);
  }
  return out;
}

/** Mean height of some vertices above the tangent plane of one, of their mean distance: -1 to 1, above 0 in a hollow. */
function rise(
  positions: Float32Array,
  normals: Float32Array,
  v: number,
  others: ArrayLike<number>,
): number {
  let height = 0;
  let length = 0;
  for (let i = 0; i < others.length; i++) {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const way = positions[others[i] * 3 + axis] - positions[v * 3 + axis];
      height += way * normals[v * 3 + axis];
      squared += way * way;
    }
    length += Math.sqrt(squared);
  }
  return length > 0 ? height / length : 0;
}
