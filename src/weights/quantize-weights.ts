import type { SkinWeights } from "./skin-weights.ts";

/**
 * Skin weights as integers whose rows sum exactly to 255 or 65535.
 *
 * @example
 * const bytes: QuantizedWeights = quantizeWeights(weights, 255);
 * console.log(bytes.weights instanceof Uint8Array);
 */
export interface QuantizedWeights {
  /** I, slots per vertex. */
  influences: number;
  /** V×I joint indices; 0 where the weight is 0. */
  joints: Uint16Array;
  /** V×I, descending in each row. */
  weights: Uint8Array | Uint16Array;
}

/**
 * Rounds weights to integers by the largest remainder method, so each row sums exactly to `total`.
 *
 * The order of a row is kept, no weight changes by a unit or more, and rows of zeros stay.
 *
 * @param total 255 for bytes, 65535 for 16 bits
 *
 * @example
 * const { joints, weights: bytes } = quantizeWeights(limitInfluences(weights, 4), 255);
 * console.log(joints.length === bytes.length); // each row of bytes sums to 255
 */
export function quantizeWeights(weights: SkinWeights, total: 255 | 65535): QuantizedWeights {
  const { influences } = weights;
  const length = weights.weights.length;
  const out = total === 255 ? new Uint8Array(length) : new Uint16Array(length);
  const joints = new Uint16Array(length);
  for (let start = 0; start < length; start += influences) {
    quantizeRow(weights.weights.subarray(start, start + influences), out, start, total);
    for (let i = start; i < start + influences; i++) joints[i] = out[i] > 0 ? weights.joints[i] : 0;
  }
  return { influences, joints, weights: out };
}

function quantizeRow(
  row: Float32Array,
  out: Uint8Array | Uint16Array,
  start: number,
  total: number,
): void {
  const sum = row.reduce((all, value) => all + value, 0);
  if (!(sum > 0)) return;
  const exact = Array.from(row, (value) => (value / sum) * total);
  let left = total;
  exact.forEach((value, i) => {
    out[start + i] = Math.floor(value);
    left -= Math.floor(value);
  });
  const order = exact
    .map((value, i) => ({ i, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (let n = 0; n < left; n++) out[start + order[n].i]++;
}
