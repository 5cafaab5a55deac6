import { NAIVE } from "./binds.ts";
import type { Store } from "./store.ts";

/** Durations in seconds: the bone colors appear, stay, and fade into the character's own. */
const [COME, STAY, MELT] = [0.7, 0.9, 2.2];
/** Pause before they appear again, and duration of the wipe across the character and back, in seconds. */
const [REST, WIPE] = [5, 5.5];

/** Events that end the show, because the visitor takes over. */
const TAKES_OVER = ["pointerdown", "keydown", "wheel", "input", "change", "drop"];

/** Fades the bone colors into the character's own, and moves the wipe across it once. */
export function playShow(store: Store): void {
  const { state } = store;
  const { character } = state;
  const began = performance.now();
  let wipedFrom: number | undefined;
  let hasWiped = false;
  let isOver = false;
  const rest = () => {
    if (state.look === "dominant") Object.assign(state, { look: "plain", cover: 1 });
    if (state.arrangement === "wipe") Object.assign(state, { arrangement: "one", cut: 0.5 });
    store.changed("binds", "weights", "look");
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const event of TAKES_OVER) removeEventListener(event, end, true);
    if (state.character === character) rest();
  };
  for (const event of TAKES_OVER) addEventListener(event, end, true);
  const step = (now: number) => {
    if (isOver) return;
    if (state.character !== character || !document.body.classList.contains("intro")) return end();
    const canWipe = state.binds.some(({ title }) => title === NAIVE) && !state.busy;
    if (wipedFrom !== undefined) {
      const share = (now - wipedFrom) / 1000 / WIPE;
      state.cut = 0.5 + 0.42 * Math.cos(2 * Math.PI * share);
      store.changed("look");
      if (share >= 1) {
        wipedFrom = undefined;
        hasWiped = true;
        rest();
      }
    } else if (canWipe && !hasWiped && state.look === "plain") {
      wipedFrom = now;
      Object.assign(state, { arrangement: "wipe", cut: 0.92, isPeeking: false });
      store.changed("binds", "weights", "look");
    } else melt(((now - began) / 1000) % (COME + STAY + MELT + REST));
    requestAnimationFrame(step);
  };
  const melt = (seconds: number) => {
    const fading = (seconds - COME - STAY) / MELT;
    if (fading >= 1) {
      if (state.look === "dominant") rest();
      return;
    }
    const share = seconds < COME ? seconds / COME : 1 - Math.max(0, fading);
    state.look = "dominant";
    state.cover = share * share * (3 - 2 * share);
    store.changed("look");
  };
  requestAnimationFrame(step);
}
