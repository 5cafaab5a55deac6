import type { Lists } from "../math/lists.ts";
import type { Components } from "../mesh/components.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link vertexFeatures}, in order. */
export const VERTEX_FEATURES: readonly string[] = [
  "x",
  "y",
  "z",
  "normal.x",
  "normal.y",
  "normal.z",
  "log.nearest",
  "log.edge",
  "prior.max",
  "prior.entropy",
  "part.share",
  "part.width",
  "part.height",
  "part.depth",
  "part.x",
  "part.y",
  "part.z",
  "log.parts",
];

/**
 * What is known of a vertex by itself: where it is, which way it faces, how fine the mesh is there,
 * and the connected part it belongs to (a button or a box of a robot moves as one).
 *
 * @param neighbours one-ring of each vertex
 * @returns V×{@link VERTEX_FEATURES}
 */
export function vertexFeatures(
  input: GraphInput,
  neighbours: Lists,
  parts: Components,
): Float32Array {
  const { mesh, distances, normals, prior } = input;
  const { positions } = mesh;
  const V = positions.length / 3;
  const width = VERTEX_FEATURES.length;
  const out = new Float32Array(V * width);
  const boxes = partBoxes(positions, parts);
  for (let v = 0; v < V; v++) {
    const o = v * width;
    const box = parts.component[v] * 7;
    out[o] = positions[v * 3] * 2;
    out[o + 1] = positions[v * 3 + 1] * 2 - 1;
    out[o + 2] = positions[v * 3 + 2] * 2;
    for (let axis = 0; axis < 3; axis++) {
      out[o + 3 + axis] = normals[v * 3 + axis];
      const low = boxes[box + axis];
      const high = boxes[box + 3 + axis];
      out[o + 11 + axis] = high - low;
      out[o + 14 + axis] = (positions[v * 3 + axis] - (low + high) / 2) * 2;
    }
    out[o + 6] = logDistance(distances.distances[v * distances.k]);
    out[o + 7] = logDistance(meanEdge(positions, v, neighbours));
    const [largest, entropy] = spread(prior, v * distances.k, distances.k);
    out[o + 8] = largest;
    out[o + 9] = entropy;
    out[o + 10] = Math.sqrt(boxes[box + 6] / V);
    out[o + 17] = Math.log(parts.count) / 4;
  }
  return out;
}

/** Mean length of the edges at a vertex; 0 where there are none. */
function meanEdge(positions: Float32Array, v: number, { starts, items }: Lists): number {
  let sum = 0;
  for (let i = starts[v]; i < starts[v + 1]; i++) {
    const other = items[i];
    sum += Math.hypot(
      positions[v * 3] - positions[other * 3],
      positions[v * 3 + 1] - positions[other * 3 + 1],
      positions[v * 3 + 2] - positions[other * 3 + 2],
    );
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

/** Seven numbers a part: low corner, high corner, vertices. */
function partBoxes(positions: Float32Array, parts: Components): Float64Array {
  const boxes = new Float64Array(parts.count * 7);
  for (let part = 0; part < parts.count; part++) {
    boxes.fill(Number.POSITIVE_INFINITY, part * 7, part * 7 + 3);
    boxes.fill(Number.NEGATIVE_INFINITY, part * 7 + 3, part * 7 + 6);
  }
  parts.component.forEach((part, v) => {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[v * 3 + axis];
      boxes[part * 7 + axis] = Math.min(boxes[part * 7 + axis], value);
      boxes[part * 7 + 3 + axis] = Math.max(boxes[part * 7 + 3 + axis], value);
    }
    boxes[part * 7 + 6]++;
  });
  return boxes;
}
