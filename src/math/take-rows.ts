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
