/**
 * Rewrites integers so that a general compressor finds more: each becomes its difference to the one
 * `stride` places before, and the bytes are grouped by their rank.
 *
 * @param values integers of at most `bytes` bytes
 * @returns values.length × bytes
 */
export function splitDeltas(values: ArrayLike<number>, stride: number, bytes: 2 | 4): Uint8Array {
  const count = values.length;
  const out = new Uint8Array(count * bytes);
  for (let i = 0; i < count; i++) {
    const delta = (values[i] - (i >= stride ? values[i - stride] : 0)) | 0;
    // Zigzag: small differences of either sign become small numbers.
    const code = bytes === 2 ? zigzag((delta << 16) >> 16) & 0xffff : zigzag(delta);
    for (let b = 0; b < bytes; b++) out[b * count + i] = code >>> (8 * b);
  }
  return out;
}

/** The integers that {@link splitDeltas} rewrote. */
export function joinDeltas(planes: Uint8Array, stride: number, bytes: 2 | 4): Uint32Array {
  const count = planes.length / bytes;
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let code = 0;
    for (let b = 0; b < bytes; b++) code |= planes[b * count + i] << (8 * b);
    const delta = (code >>> 1) ^ -(code & 1);
    const value = delta + (i >= stride ? out[i - stride] : 0);
    out[i] = bytes === 2 ? value & 0xffff : value;
  }
  return out;
}

function zigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}
