const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * Rounds numbers to IEEE 754 half precision, for storage.
 *
 * Relative error at most 2^-11 between 6.1e-5 and 65504; larger values become Infinity, smaller ones
 * keep an absolute error of 3e-8.
 */
export function toHalf(values: Float32Array): Uint16Array {
  const out = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) out[i] = encode(values[i]);
  return out;
}

/** Converts the result of {@link toHalf} back. */
export function fromHalf(halves: Uint16Array): Float32Array {
  const out = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) out[i] = decode(halves[i]);
  return out;
}

function encode(value: number): number {
  float[0] = value;
  const b = bits[0];
  const sign = (b >>> 16) & 0x8000;
  const magnitude = b & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | Math.round(Math.abs(float[0]) * 0x1000000);
  // Round to nearest: half of the last kept bit, before the exponent is rebased from 127 to 15.
  return sign | ((magnitude + 0x1000 - 0x38000000) >>> 13);
}

function decode(half: number): number {
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 0) return (sign * fraction) / 0x1000000;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  bits[0] = ((exponent + 112) << 23) | (fraction << 13);
  return sign * float[0];
}
