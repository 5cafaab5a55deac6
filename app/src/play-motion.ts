import { bestMotion } from "./motions.ts";
import { motionSeconds } from "./pose-matrices.ts";
import { noMotion, OWN_MOTION, STRESS_MOTION, type Store } from "./store.ts";
import { stressedJoint } from "./stress-motion.ts";

/** Plays a motion from its start; -1 stops. */
export function startMotion(store: Store, index: number): void {
  const { state } = store;
  state.clip = { ...noMotion(), index, speed: state.clip.speed };
  store.changed("pose");
  if (index !== -1) setPlaying(store, true);
}

/** Plays or pauses. */
export function setPlaying(store: Store, isPlaying: boolean): void {
  const { state } = store;
  const clip = { ...state.clip, isPlaying };
  state.clip = clip;
  store.changed("pose");
  if (!isPlaying) return;
  let before = performance.now();
  const step = (now: number) => {
    // Another motion, another character or a manual pose has replaced it.
    if (state.clip !== clip) return;
    const length = motionSeconds(state);
    const passed = (clip.speed * (now - before)) / 1000;
    clip.seconds = length > 0 ? (clip.seconds + Math.min(0.25, passed)) % length : 0;
    before = now;
    followStress(store);
    store.changed("pose");
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Plays the most telling motion: one of the file, or a walk; none if the visitor prefers reduced motion. */
export function showMotion(store: Store): void {
  const { state } = store;
  if (!state.character || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const best = bestMotion(state.motions?.names ?? []);
  if (state.character.clips.clips.length > 0) startMotion(store, 0);
  else if (best >= 0) startMotion(store, OWN_MOTION - best);
}

/** Selects the joint whose range is shown, so that the tree and the colors follow. */
export function followStress({ state, changed }: Store): void {
  if (state.clip.index !== STRESS_MOTION || !state.character) return;
  const { skeleton } = state.character.prepared.character;
  const joint = stressedJoint(skeleton, state.clip.seconds);
  if (joint === state.joint) return;
  state.joint = joint;
  changed("joint");
}
