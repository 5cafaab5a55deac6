import type { Where } from "./service.ts";
import type { State } from "./store.ts";

/**
 * Number of vertices from which the page proposes the server. Binding 100,000 needs most of a gigabyte, more than
 * many browsers grant a page, and 15 seconds on a computer with two cores, much longer on a phone.
 */
export const LARGE = 50_000;

/** Whether the page proposes the server for a character. */
export function isLarge({ character }: State): boolean {
  return (character?.vertices ?? 0) >= LARGE;
}

/** Where the open character is bound: as chosen, otherwise by size; in the browser if there is no service. */
export function whereOf(state: State): Where {
  if (!state.service) return "browser";
  return state.where ?? (isLarge(state) ? "server" : "browser");
}
