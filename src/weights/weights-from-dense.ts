import type { SkinWeights } from "./skin-weights.ts";
import { addWeight, emptyWeights, type WeightRow } from "./weight-row.ts";
import { writeRow } from "./weights-from-slots.ts";

/**
 * Skin weights from a full table; each row sorted and divided by its sum.
 *
 * @param table V×J; what is not a positive finite number counts as zero
 * @param joints J
 * @returns as many slots as the fullest vertex needs, at least one
 */
export function weightsFromDense(table: ArrayLike<number>, joints: number): SkinWeights {
  const rows = Array.from({ length: table.length / joints }, (_, vertex) => {
    const row: WeightRow = { joints: [], values: [] };
    for (let joint = 0; joint < joints; joint++) {
      const value = table[vertex * joints + joint];
      if (value > 0 && value < Infinity) addWeight(row, joint, value);
    }
    return row;
  });
  const influences = rows.reduce((most, row) => Math.max(most, row.joints.length), 1);
  const out = emptyWeights(rows.length, influences);
  rows.forEach((row, vertex) => {
    writeRow(out, vertex, row);
  });
  return out;
}
