/** Lists of integers of varying length, stored end to end: list i is items[starts[i] .. starts[i + 1] - 1]. */
export interface Lists {
  /** N+1. */
  starts: Int32Array;
  items: Int32Array;
}

/**
 * The members of each group, in ascending order.
 *
 * @param groups N, the group of each member, -1 for one in none
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

/** Where each of N numbers stands in a list that has it once; -1 where it does not. */
export function inverseIndex(list: ArrayLike<number>, N: number): Int32Array {
  const places = new Int32Array(N).fill(-1);
  for (let i = 0; i < list.length; i++) places[list[i]] = i;
  return places;
}

/** Arrays of one kind end to end. */
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

/** The rows of a table, row by row of `width` numbers, in the order given. */
export function takeRows<T extends Float32Array | Int32Array | Uint16Array>(
  table: T,
  rows: Int32Array,
  width: number,
): T {
  const out = new (table.constructor as new (length: number) => T)(rows.length * width);
  // Number by number: rows are short, and a view of each costs more than what it holds.
  for (let i = 0; i < rows.length; i++) {
    const [from, to] = [rows[i] * width, i * width];
    for (let column = 0; column < width; column++) out[to + column] = table[from + column];
  }
  return out;
}

/** The arithmetic mean, NaN of nothing. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Powers of two alone, where sizes must be fewest. */
export const FEWEST = 1;
/** Round sizes from one power of two to the next: few, where a larger size costs little. */
export const FEW = 2;
/** And many, for the sizes that most of the work goes with. */
export const MANY = 8;

/**
 * The next round size.
 *
 * A device that keeps the buffers of one step for the next can only use them again at the same size;
 * and it keeps buffers of every size there ever was, so there must not be many.
 *
 * @param steps round sizes from one power of two to the next: {@link FEW}, {@link MANY}, ...
 */
export function roundSize(size: number, steps: number): number {
  const octave = 2 ** Math.floor(Math.log2(Math.max(1, size)));
  const unit = Math.max(1, octave / steps);
  return Math.ceil(size / unit) * unit;
}
