/** Escapes a CSV cell; a text that a spreadsheet would read as a formula becomes plain text. */
export function csvCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
