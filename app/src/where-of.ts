import type { Where } from "./service.ts";
import type { State } from "./store.ts";

/**
 * From so many vertices on the server is proposed: a browser gives a page four threads and a part of the
 * memory, and a character of 100,000 vertices takes most of a gigabyte.
 */
export const LARGE = 50_000;

/** Whether a character is one for the server. */
export function isLarge({ character }: State): boolean {
  return (character?.vertices ?? 0) >= LARGE;
}

/** Where the open character is bound: as the visitor chose, else by its size; here where there is no service. */
export function whereOf(state: State): Where {
  if (!state.service) return "browser";
  return state.where ?? (isLarge(state) ? "server" : "browser");
}
