import type { SkinWeights } from "./skin-weights.ts";
import { writeRow } from "./weights-from-slots.ts";

/**
 * Skin weights from a full table; each row sorted and divided by its sum.
 *
 * @param table V×J; what is not a positive finite number counts as zero
 * @param joints J
 * @returns as many slots as the fullest vertex needs, at least one
 */
export function weightsFromDense(table: ArrayLike<number>, joints: number): SkinWeights {
  const vertices = table.length / joints;
  const rows = Array.from({ length: vertices }, (_, vertex) => {
    const used: number[] = [];
    for (let joint = 0; joint < joints; joint++) {
      const value = table[vertex * joints + joint];
      if (value > 0 && value < Infinity) used.push(joint);
    }
    return used;
  });
  const influences = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(vertices * influences),
    weights: new Float32Array(vertices * influences),
  };
  rows.forEach((row, vertex) => {
    const values = row.map((joint) => table[vertex * joints + joint]);
    writeRow(out, vertex, row, values);
  });
  return out;
}
