import type { SkinWeights } from "../../src/index.ts";
import type { BindOptions } from "./bind-calls.ts";
import type { KeptBind } from "./kept-bind.ts";
import { copyWeights } from "./paint/row-changes.ts";
import type { State } from "./store.ts";

/** Titles of the methods. */
export const METHOD_TITLES: Record<string, string> = {
  network: "HeterSkin",
  heat: "Bone heat",
  hollow: "HollowDist",
  "geodesic-voxel": "Geodesic voxel",
  euclid: "Straight distance",
};

/** Title of the weights for comparison: each vertex follows its nearest bone. */
export const NAIVE = "Nearest bone only";

let next = 1;

/** Adds weights to the list. */
export function keepBind(
  state: State,
  bind: Omit<KeptBind, "id" | "isPainted" | "isSaved">,
): KeptBind {
  const kept = { ...bind, id: next++, isPainted: false, isSaved: false };
  state.binds.push(kept);
  return kept;
}

/** Starts the list with a copy of the file's weights, if it has any. */
export function keepFileWeights(state: State, weights: SkinWeights | undefined): void {
  if (!weights) return;
  const title = "The file's own weights";
  const own = { origin: "file", title, detail: "unchanged", steps: [] } as const;
  state.current = keepBind(state, { ...own, weights: copyWeights(weights) }).id;
}

/** The weights that are edited and saved. */
export function currentBind({ binds, current }: State): KeptBind | undefined {
  return binds.find(({ id }) => id === current);
}

/** The weights that the current ones are compared with. */
export function otherBind({ binds, other, current }: State): KeptBind | undefined {
  return other === current ? undefined : binds.find(({ id }) => id === other);
}

/** The weights on the screen, from left to right: one or two. */
export function shownBinds(state: State): KeptBind[] {
  const [current, other] = [currentBind(state), otherBind(state)];
  if (!current) return [];
  if (!other) return [current];
  if (state.arrangement === "one") return [state.isPeeking ? other : current];
  return [other, current];
}

/** The weights that the page shows and saves. */
export function currentWeights(state: State): SkinWeights | undefined {
  return currentBind(state)?.weights;
}

/** Name of a set of weights; mentions paint. */
export function bindName({ title, isPainted }: KeptBind): string {
  return isPainted ? `${title}, painted` : title;
}

/** Whether opening another character would discard paint. */
export function hasUnsavedPaint({ binds }: State): boolean {
  return binds.some(({ isPainted, isSaved }) => isPainted && !isSaved);
}

/**
 * Makes a set of weights the current one. The previous one becomes the one compared with; the review of the
 * previous one is discarded.
 */
export function chooseBind(state: State, id: number): void {
  if (id === state.current) return;
  const before = state.current;
  state.current = id;
  state.isPeeking = false;
  Object.assign(state, {
    doubts: undefined,
    comparison: undefined,
    validity: undefined,
    marked: [],
  });
  if (state.other === id || !otherBind(state)) state.other = before;
}

/** Options of a bind in a few words. */
export function optionsText({ maxInfluences, smooth, resolution, symmetry }: BindOptions): string {
  const words = [maxInfluences === 1 ? "1 joint per vertex" : `${maxInfluences} joints per vertex`];
  if (smooth > 0) words.push(`smoothed ${smooth}×`);
  if (resolution) words.push(`${resolution} cells`);
  if (!symmetry) words.push("sides separately");
  return words.join(", ");
}
