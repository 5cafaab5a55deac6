import type { Actions } from "./actions/actions.ts";
import { applyAddress, type SharedCamera } from "./address.ts";
import { galleryEntry } from "./gallery.ts";
import { playShow } from "./intro-show.ts";
import { startMotion } from "./play-motion.ts";
import type { Store } from "./store.ts";
import { find } from "./ui/dom.ts";

/** The character on which the page opens; its image is shown before any script runs. */
const FIRST = "knight";

/** The name of the character that a visit starts with. */
export function openedFirst(): string {
  return new URLSearchParams(location.search).get("open") ?? FIRST;
}

/**
 * Opens the page on a walking character, with naive weights for comparison. `?open=fox` opens another one from
 * the gallery, `?open=nothing` none; both show the tools at once.
 */
export function startIntro(store: Store, actions: Actions, camera: SharedCamera | undefined): void {
  const query = new URLSearchParams(location.search);
  const entry = galleryEntry(openedFirst());
  const { state } = store;
  const poster = find("poster");
  const isIntro = !query.has("open");
  if (!isIntro) {
    document.body.classList.remove("intro");
    poster.hidden = true;
    // The tools are visible and nothing covers them.
    if (entry) find("landing").hidden = true;
  }
  if (!entry) return;
  state.look = "plain";
  state.hasSkeleton = false;
  let hasStarted = false;
  store.on(["character"], () => {
    if (hasStarted || !state.character) return;
    hasStarted = true;
    const motion = applyAddress(state, query);
    store.changed("look", "joint", "pose", "up");
    const numbers = (query.get("camera") ?? "").split("_").map(Number);
    if (numbers.length === 6 && numbers.every(Number.isFinite)) camera?.set(numbers);
    const hasQuery = ["motion", "pose", "look"].some((name) => query.has(name));
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!isStill && (!hasQuery || motion !== -1)) startMotion(store, hasQuery ? motion : 0);
    // The view draws in the next frame; without a view the image stays.
    if (camera) requestAnimationFrame(() => requestAnimationFrame(() => poster.remove()));
    if (isIntro && !isStill) playShow(store);
  });
  void actions.openSample(entry.name).then(async () => {
    const { character } = state;
    if (character?.name !== entry.name || state.busy || state.reading) return;
    await actions.addNaive();
  });
}
