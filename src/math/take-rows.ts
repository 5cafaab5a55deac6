/** The rows of a table, row by row of `width` numbers, in the order given. */
export function takeRows<T extends Float32Array | Int32Array | Uint16Array>(
  table: T,
  rows: Int32Array,
  width: number,
): T {
  const out = new (table.constructor as new (length: number) => T)(rows.length * width);
  rows.forEach((row, i) => {
    out.set(table.subarray(row * width, (row + 1) * width), i * width);
  });
  return out;
}
