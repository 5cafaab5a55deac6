import type { SkinWeights } from "./skin-weights.ts";
import { writeRow } from "./weights-from-slots.ts";

/**
 * The mean weights of groups of vertices, each row sorted and summing to 1.
 *
 * Vertices without weight do not count; a group of such vertices keeps a row of zeros.
 *
 * @param groups V, the group of each vertex
 * @param count number of groups
 * @returns one row per group, as many slots as the fullest needs
 */
export function averageWeights(
  weights: SkinWeights,
  groups: Int32Array,
  count: number,
): SkinWeights {
  const rows = Array.from({ length: count }, () => new Map<number, number>());
  groups.forEach((group, vertex) => {
    addVertex(rows[group], weights, vertex);
  });
  const influences = rows.reduce((most, row) => Math.max(most, row.size), 1);
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(count * influences),
    weights: new Float32Array(count * influences),
  };
  rows.forEach((row, group) => {
    writeRow(out, group, [...row.keys()], [...row.values()]);
  });
  return out;
}

function addVertex(row: Map<number, number>, weights: SkinWeights, vertex: number): void {
  const { influences } = weights;
  let sum = 0;
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) sum += weights.weights[i];
  if (!(sum > 0)) return;
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
    if (weights.weights[i] > 0) {
      const joint = weights.joints[i];
      row.set(joint, (row.get(joint) ?? 0) + weights.weights[i] / sum);
    }
  }
}
