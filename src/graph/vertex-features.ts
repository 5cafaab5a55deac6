import type { Lists } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Components, partBoxes } from "../mesh/adjacency.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link vertexFeatures}, in order. */
export const VERTEX_FEATURES: readonly string[] = (
  "x y z normal.x normal.y normal.z log.nearest log.edge prior.max prior.entropy " +
  "part.share part.width part.height part.depth part.x part.y part.z log.parts"
).split(" ");

/**
 * Returns the features of vertices: position, normal, mesh density, and the connected component (a button or
 * a box of a robot moves as one).
 *
 * @param neighbors one-ring of each vertex
 * @returns V×{@link VERTEX_FEATURES}
 */
export function vertexFeatures(
  input: GraphInput,
  neighbors: Lists,
  parts: Components,
): Float32Array {
  const { mesh, distances, normals, prior } = input;
  const { positions } = mesh;
  const V = positions.length / 3;
  const width = VERTEX_FEATURES.length;
  const out = new Float32Array(V * width);
  const boxes = partBoxes(positions, parts);
  const sizes = new Int32Array(parts.count);
  for (const part of parts.component) sizes[part]++;
  for (let v = 0; v < V; v++) {
    const o = v * width;
    const { min, max } = boxes[parts.component[v]];
    out[o] = positions[v * 3] * 2;
    out[o + 1] = positions[v * 3 + 1] * 2 - 1;
    out[o + 2] = positions[v * 3 + 2] * 2;
    for (let axis = 0; axis < 3; axis++) {
      out[o + 3 + axis] = normals[v * 3 + axis];
      out[o + 11 + axis] = max[axis] - min[axis];
      out[o + 14 + axis] = (positions[v * 3 + axis] - (min[axis] + max[axis]) / 2) * 2;
    }
    out[o + 6] = logDistance(distances.distances[v * distances.k]);
    out[o + 7] = logDistance(meanEdge(positions, v, neighbors));
    const [largest, entropy] = spread(prior, v * distances.k, distances.k);
    out[o + 8] = largest;
    out[o + 9] = entropy;
    out[o + 10] = Math.sqrt(sizes[parts.component[v]] / V);
    out[o + 17] = Math.log(parts.count) / 4;
  }
  return out;
}

/** Mean length of the edges at a vertex; 0 if it has none. */
function meanEdge(positions: Float32Array, v: number, { starts, items }: Lists): number {
  let sum = 0;
  for (let i = starts[v]; i < starts[v + 1]; i++) {
    sum += distanceOf(positions, v, items[i]);
  }
  return sum / Math.max(1, starts[v + 1] - starts[v]);
}

/** Largest value and entropy of one row of the prior. */
function spread(prior: Float32Array, start: number, k: number): [number, number] {
  let largest = 0;
  let entropy = 0;
  for (let slot = start; slot < start + k; slot++) {
    largest = Math.max(largest, prior[slot]);
    if (prior[slot] > 0) entropy -= prior[slot] * Math.log(prior[slot]);
  }
  return [largest, entropy];
}
