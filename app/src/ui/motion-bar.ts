import { motionSeconds } from "../pose-matrices.ts";
import { noMotion, STRESS_MOTION, type Store } from "../store.ts";
import { button, find, make } from "./dom.ts";

const SPEEDS = [0.25, 0.5, 1, 2];

/** The bar that plays: the clips of the file, or a motion that tries every joint; pause, scrub, speed. */
export function createMotionBar(store: Store): void {
  const { state } = store;
  const clips = make("select", {
    id: "clips",
    "aria-label": "Motion",
    onchange: () => startMotion(store, Number(clips.value)),
  });
  const play = button("▶", "play-button", () => {
    if (state.clip.index === -1) startMotion(store, clipCount() > 0 ? 0 : STRESS_MOTION);
    else setPlaying(store, !state.clip.isPlaying);
  });
  const stress = button(
    "Try every joint",
    "stress-button",
    () => startMotion(store, STRESS_MOTION),
    {
      title: "Turns each joint through its range, one after the other",
    },
  );
  const scrub = make("input", {
    type: "range",
    id: "scrub",
    min: 0,
    max: 1,
    step: 0.001,
    value: 0,
    "aria-label": "Place in the motion",
    oninput: () => {
      state.clip = {
        ...state.clip,
        isPlaying: false,
        seconds: Number(scrub.value) * motionSeconds(state),
      };
      store.changed("pose");
    },
  });
  const speed = make(
    "select",
    {
      id: "speed",
      "aria-label": "Speed",
      onchange: () => {
        state.clip.speed = Number(speed.value);
      },
    },
    ...SPEEDS.map((value) => make("option", { value, selected: value === 1 }, `${value}×`)),
  );
  const clipCount = () => state.character?.clips.clips.length ?? 0;
  const bar = make(
    "div",
    { class: "motion-bar", id: "motion-bar" },
    play,
    clips,
    scrub,
    speed,
    stress,
  );
  find("stage-bottom").append(bar);
  const fill = () => {
    const names = state.character?.clips.clips.map(({ name }) => name) ?? [];
    clips.replaceChildren(
      make("option", { value: -1 }, "Still"),
      ...names.map((name, i) => make("option", { value: i }, name)),
      make("option", { value: STRESS_MOTION }, "Every joint in turn"),
    );
  };
  const update = () => {
    bar.hidden = !state.character || state.fitting !== undefined;
    clips.value = String(state.clip.index);
    const { isPlaying } = state.clip;
    play.textContent = isPlaying ? "❚❚" : "▶";
    play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    const length = motionSeconds(state);
    scrub.value = String(length > 0 ? state.clip.seconds / length : 0);
    scrub.disabled = state.clip.index === -1;
    speed.value = String(state.clip.speed);
  };
  store.on(["character"], fill);
  store.on(["character", "pose", "fitting"], update);
  fill();
  update();
}

/** Plays a motion from its start; -1 stands still. */
export function startMotion(store: Store, index: number): void {
  const { state } = store;
  state.clip = { ...noMotion(), index, speed: state.clip.speed };
  store.changed("pose");
  if (index !== -1) setPlaying(store, true);
}

/** Plays on, or pauses. */
function setPlaying(store: Store, isPlaying: boolean): void {
  const { state } = store;
  const clip = { ...state.clip, isPlaying };
  state.clip = clip;
  store.changed("pose");
  if (!isPlaying) return;
  let before = performance.now();
  const step = (now: number) => {
    // Another motion, another character or a pose by hand took its place.
    if (state.clip !== clip) return;
    const length = motionSeconds(state);
    const passed = (clip.speed * (now - before)) / 1000;
    clip.seconds = length > 0 ? (clip.seconds + Math.min(0.25, passed)) % length : 0;
    before = now;
    store.changed("pose");
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
