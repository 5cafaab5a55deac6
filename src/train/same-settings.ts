/** Whether two settings say the same, in whatever order their entries were written. */
export function sameSettings(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortedEntries(one)) === JSON.stringify(sortedEntries(other));
}

/** Entries by name, at every level. */
export function sortedEntries(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sortedEntries(entry)]);
}
