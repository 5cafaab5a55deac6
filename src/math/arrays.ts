/** Integer lists of varying length, concatenated: list i is items[starts[i] .. starts[i + 1] - 1]. */
export interface Lists {
  /** N+1. */
  starts: Int32Array;
  items: Int32Array;
}

/**
 * Returns the members of each group, ascending.
 *
 * @param groups N, the group of each member, -1 for none
 */
export function listsOf(groups: Int32Array, count: number): Lists {
  const starts = new Int32Array(count + 1);
  for (const group of groups) if (group >= 0) starts[group + 1]++;
  for (let group = 0; group < count; group++) starts[group + 1] += starts[group];
  const cursor = starts.slice();
  const items = new Int32Array(starts[count]);
  for (let member = 0; member < groups.length; member++) {
    if (groups[member] >= 0) items[cursor[groups[member]]++] = member;
  }
  return { starts, items };
}

/** Returns the index of each of N numbers in a list without duplicates, or -1. */
export function inverseIndex(list: ArrayLike<number>, N: number): Int32Array {
  const indices = new Int32Array(N).fill(-1);
  for (let i = 0; i < list.length; i++) indices[list[i]] = i;
  return indices;
}

/** Concatenates arrays of one type. */
export function joinArrays<T extends Float32Array | Int32Array | Uint32Array | Uint8Array>(
  kind: new (size: number) => T,
  pieces: readonly T[],
): T {
  const out = new kind(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    out.set(piece, end);
    end += piece.length;
  }
  return out;
}

/** Returns some rows of a table with `width` columns, in the given order. */
export function takeRows<T extends Float32Array | Int32Array | Uint16Array>(
  table: T,
  rows: Int32Array,
  width: number,
): T {
  const out = new (table.constructor as new (length: number) => T)(rows.length * width);
  // Element by element: rows are short, and a subarray of each would cost more.
  for (let i = 0; i < rows.length; i++) {
    const [from, to] = [rows[i] * width, i * width];
    for (let column = 0; column < width; column++) out[to + column] = table[from + column];
  }
  return out;
}

/** Returns the arithmetic mean; NaN for an empty list. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Values of `steps` for {@link roundSize}: powers of two only, a few sizes in between, or many. */
export const FEWEST = 1;
export const FEW = 2;
export const MANY = 8;

/**
 * Rounds up to a size with a limited number of distinct values.
 *
 * A device can only reuse the buffers of one step in the next at the same size, and it keeps buffers of every
 * size, so there must not be many.
 *
 * @param steps sizes from one power of two to the next: {@link FEW}, {@link MANY}, ...
 */
export function roundSize(size: number, steps: number): number {
  const octave = 2 ** Math.floor(Math.log2(Math.max(1, size)));
  const unit = Math.max(1, octave / steps);
  return Math.ceil(size / unit) * unit;
}
