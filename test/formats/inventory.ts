/** Counts by kind of what a program finds in a file. */
export type Inventory = Record<string, number>;

/** A program's reading of one file. */
export interface Reading {
  inventory?: Inventory | undefined;
  /** Why it could not read the file. */
  error?: string | undefined;
}

/** Differences between two readings in what both count: "takes 2 → 1". */
export function differences(
  before: Reading,
  after: Reading,
  counts: (was: number, is: number, what: string) => boolean = (was, is) => was !== is,
): string[] {
  if (before.error) return [];
  if (after.error) return [`cannot read it: ${after.error}`];
  return Object.entries(before.inventory ?? {}).flatMap(([what, was]) => {
    const is = after.inventory?.[what];
    return is !== undefined && counts(was, is, what) ? [`${what} ${was} → ${is}`] : [];
  });
}
