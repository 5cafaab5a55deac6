/** A cell of a table with commas; a text that a spreadsheet would take for a formula becomes plain text. */
export function csvCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
