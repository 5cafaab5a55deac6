import { type Lists, listsOf } from "../math/arrays.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import {
  addWeight,
  emptyWeights,
  hasWeight,
  rowCount,
  type SkinWeights,
  type WeightRow,
  writeRow,
} from "./skin-weights.ts";

/** Default step towards the mean of the neighbors; 1 could oscillate. */
const STEP = 0.5;

/** Maximum slots of a row while it is smoothed; further weights are negligible. */
const MAX_SLOTS = 16;

/**
 * Smooths weights over the surface: each step mixes a vertex with the mean of its neighbors (the umbrella
 * operator).
 *
 * Loose parts do not influence each other, and rows that are equal all over a part do not change.
 * Based on: Taubin. A signal processing approach to fair surface design. 1995.
 *
 * @param mesh welded, or seams would open
 * @param weights V rows that sum to 1
 * @param steps 0 changes nothing
 * @param amount weight of the neighbors in a step; default one half
 */
export function smoothWeights(
  weights: SkinWeights,
  mesh: Mesh,
  steps: number,
  amount: number = STEP,
): SkinWeights {
  const passes = smoothSteps(weights, mesh, steps, amount);
  let pass = passes.next();
  while (!pass.done) pass = passes.next();
  return pass.value;
}

/** {@link smoothWeights} as a generator, to yield between steps. */
export function* smoothSteps(
  weights: SkinWeights,
  mesh: Mesh,
  steps: number,
  amount: number = STEP,
): Generator<void, SkinWeights> {
  if (!(Number.isInteger(steps) && steps >= 0)) {
    throw new RangeError(`smoothWeights: steps must be an integer >= 0, got ${steps}.`);
  }
  const neighbors = vertexNeighbors(mesh.triangles, vertexCount(mesh));
  let current = weights;
  for (let step = 0; step < steps; step++) {
    current = smoothOnce(current, neighbors, amount);
    yield;
  }
  return current;
}

function smoothOnce(weights: SkinWeights, { starts, items }: Lists, amount: number): SkinWeights {
  const vertices = starts.length - 1;
  const out = emptyWeights(vertices, Math.max(weights.influences, MAX_SLOTS));
  for (let vertex = 0; vertex < vertices; vertex++) {
    const around = items.subarray(starts[vertex], starts[vertex + 1]);
    writeRow(out, vertex, mixedRow(weights, vertex, around, amount));
  }
  return out;
}

/**
 * Moves a vertex's row towards the mean of its neighbors'.
 *
 * @param step 0 keeps it, 1 takes the mean
 */
export function mixedRow(
  weights: SkinWeights,
  vertex: number,
  around: ArrayLike<number>,
  step: number,
): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  addScaled(row, weights, vertex, around.length === 0 ? 1 : 1 - step);
  for (let i = 0; i < around.length; i++) {
    addScaled(row, weights, around[i], step / around.length);
  }
  return row;
}

function addScaled(
  row: WeightRow,
  { influences, joints, weights }: SkinWeights,
  vertex: number,
  factor: number,
): void {
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
    if (weights[i] > 0) addWeight(row, joints[i], weights[i] * factor);
  }
}

/**
 * Averages the weights of groups of vertices, each row sorted and normalized.
 *
 * Vertices without weight do not count; a group of such vertices keeps a row of zeros.
 *
 * @param groups V, the group of each vertex
 * @param count number of groups
 * @returns one row per group, with as many slots as the longest needs
 */
export function averageWeights(
  weights: SkinWeights,
  groups: Int32Array,
  count: number,
): SkinWeights {
  const { starts, items } = listsOf(groups, count);
  const row: WeightRow = { joints: [], values: [] };
  const collect = (group: number): WeightRow => {
    row.joints.length = row.values.length = 0;
    for (let i = starts[group]; i < starts[group + 1]; i++) addVertex(row, weights, items[i]);
    return row;
  };
  let influences = 1;
  for (let g = 0; g < count; g++) influences = Math.max(influences, collect(g).joints.length);
  const out = emptyWeights(count, influences);
  for (let g = 0; g < count; g++) writeRow(out, g, collect(g));
  return out;
}

function addVertex(
  row: WeightRow,
  { influences, joints, weights }: SkinWeights,
  vertex: number,
  factor = 1,
) {
  let sum = 0;
  const [start, end] = [vertex * influences, (vertex + 1) * influences];
  for (let i = start; i < end; i++) sum += weights[i];
  if (!(sum > 0)) return;
  for (let i = start; i < end; i++) {
    if (weights[i] > 0) addWeight(row, joints[i], (factor * weights[i]) / sum);
  }
}

/**
 * Blends two sets of weights, each row normalized; rows without weight in one of the two are those of the other.
 *
 * @param share of `other`, 0 to 1
 */
export function blendWeights(own: SkinWeights, other: SkinWeights, share: number): SkinWeights {
  const out = emptyWeights(rowCount(own), own.influences + other.influences);
  for (let v = 0; v < rowCount(own); v++) {
    const part = !hasWeight(other, v) ? 0 : hasWeight(own, v) ? share : 1;
    const row: WeightRow = { joints: [], values: [] };
    if (part < 1) addVertex(row, own, v, 1 - part);
    if (part > 0) addVertex(row, other, v, part);
    writeRow(out, v, row);
  }
  return out;
}
