import type { Where } from "./service.ts";
import type { State } from "./store.ts";

/**
 * From so many vertices on the server is proposed: binding 100,000 takes most of a gigabyte, more than many
 * browsers give a page, and a quarter of a minute of a computer with two cores, much more of a phone.
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
