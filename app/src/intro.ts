import { SAMPLES } from "../../samples/index.ts";
import type { Actions } from "./actions/actions.ts";
import type { Store } from "./store.ts";
import { startMotion } from "./ui/motion-bar.ts";

/** The character the page opens on. */
const FIRST = "dancer";

/**
 * Opens the page on a character that moves, with naive weights to compare with; `?open=fox` opens
 * another sample, `?open=nothing` none, both with the tools at hand.
 */
export function startIntro(store: Store, actions: Actions): void {
  const wanted = new URLSearchParams(location.search).get("open") ?? FIRST;
  const sample = SAMPLES.find(({ name }) => name === wanted);
  const { state } = store;
  if (wanted !== FIRST) document.body.classList.remove("intro");
  if (!sample) return;
  state.look = "plain";
  state.hasSkeleton = false;
  let hasStarted = false;
  store.on(["character"], () => {
    if (hasStarted || !state.character) return;
    hasStarted = true;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) startMotion(store, 0);
  });
  void actions.openSample(sample.name).then(async () => {
    const { character } = state;
    if (character?.name !== sample.name || state.busy || state.reading) return;
    await actions.addNaive();
  });
}
