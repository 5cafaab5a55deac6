import { listsOf } from "../math/arrays.ts";
import {
  addWeight,
  emptyWeights,
  type SkinWeights,
  type WeightRow,
  writeRow,
} from "./skin-weights.ts";

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

function addVertex(row: WeightRow, { influences, joints, weights }: SkinWeights, vertex: number) {
  let sum = 0;
  const [start, end] = [vertex * influences, (vertex + 1) * influences];
  for (let i = start; i < end; i++) sum += weights[i];
  if (!(sum > 0)) return;
  for (let i = start; i < end; i++) {
    if (weights[i] > 0) addWeight(row, joints[i], weights[i] / sum);
  }
}
