/** For each row of a table, the slots that read it. */
export interface ReverseList {
  /** rows x degree; unused entries hold the number of slots, which is a row of zeros in the graph. */
  data: Int32Array;
  /** At least the most slots that any one row has, and 1. */
  degree: number;
}

/**
 * Turns an index list around: which slots read row r?
 *
 * The gradient of `take(table, indices)` adds up all slots of a row. ONNX Runtime's ScatterND with
 * duplicate indices races on several threads, so our graphs gather over these padded lists instead.
 *
 * @param indices any shape, flat; each in 0..rows-1
 * @param rows rows of the table
 * @param valid one per slot; a slot with 0 is left out, which is exact if the network masks it
 * @param width of the lists, for the most slots that any row has; just that where not given
 * @returns slots of each row in ascending order
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
      throw new Error(
        `reverseList: slot ${slot} reads row ${row}, but the table has ${rows} rows.`,
      );
    }
    if (!valid || valid[slot]) counts[row]!++;
  }
  const degree = width(counts.reduce((most, count) => Math.max(most, count), 1));
  const data = new Int32Array(rows * degree).fill(indices.length);
  counts.fill(0);
  for (let slot = 0; slot < indices.length; slot++) {
    if (valid && !valid[slot]) continue;
    const row = indices[slot];
    data[row * degree + counts[row]!++] = slot;
  }
  return { data, degree };
}
