/** Counts of what a file has and its reader does not take, by what it is: "lights", "curves between keys". */
export type Losses = Map<string, number>;

/** One kind of thing that an output does not hold. */
export interface Loss {
  /** What it is, in the plural. */
  what: string;
  count: number;
}

/** Notes that something is lost; nothing where there is none of it. */
export function lose(losses: Losses, what: string, count = 1): void {
  if (count > 0) losses.set(what, (losses.get(what) ?? 0) + count);
}

/** Losses as a list, by name. */
export function listLosses(losses: Losses): Loss[] {
  return [...losses]
    .map(([what, count]) => ({ what, count }))
    .sort((a, b) => (a.what < b.what ? -1 : 1));
}
