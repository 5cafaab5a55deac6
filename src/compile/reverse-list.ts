/** For each row of a table, the slots that read it. */
export interface ReverseList {
  /** rows x degree; padded with the number of slots, which is a row of zeros in the graph. */
  data: Int32Array;
  /** Maximum number of slots of a row, at least 1. */
  degree: number;
}

/**
 * Reverses an index list: lists the slots that read each row, ascending.
 *
 * The gradient of `take(table, indices)` sums all slots of a row. ONNX Runtime's ScatterND with duplicate
 * indices races on several threads, so our graphs gather over these padded lists instead.
 *
 * @param indices any shape, flat; each in 0..rows-1
 * @param rows rows of the table
 * @param valid one per slot; slots with 0 are skipped, which is exact if the network masks them
 * @param width rounds the width of the lists up; default exact
 */
export function reverseList(
  indices: Int32Array,
  rows: number,
  valid?: Uint8Array,
  width: (degree: number) => number = (degree) => degree,
): ReverseList {
  const counts = new Int32Array(rows);
  for (let slot = 0; slot < indices.length; slot++) {
    const row = indices[slot];
    if (row < 0 || row >= rows) {
      throw new Error(`reverseList: slot ${slot} reads row ${row} of ${rows}.`);
    }
    if (!valid || valid[slot]) counts[row]!++;
  }
  const degree = width(counts.reduce((max, count) => Math.max(max, count), 1));
  const data = new Int32Array(rows * degree).fill(indices.length);
  counts.fill(0);
  for (let slot = 0; slot < indices.length; slot++) {
    if (valid && !valid[slot]) continue;
    const row = indices[slot];
    data[row * degree + counts[row]!++] = slot;
  }
  return { data, degree };
}
