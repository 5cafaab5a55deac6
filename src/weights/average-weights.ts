import { listsOf } from "../math/arrays.ts";
import {
  addWeight,
  emptyWeights,
  hasWeight,
  rowCount,
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
