import { bestMotion } from "../motions.ts";
import { followStress, setPlaying, startMotion } from "../play-motion.ts";
import { motionSeconds } from "../pose-matrices.ts";
import { OWN_MOTION, STRESS_MOTION, type Store } from "../store.ts";
import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";

const SPEEDS = [0.25, 0.5, 1, 2];

/** Creates the player: clips of the file, generated motions, or the range of every joint; pause, scrub, speed. */
export function createMotionBar(store: Store): void {
  const { state } = store;
  const clips = make("select", {
    id: "clips",
    "aria-label": "Motion",
    onchange: () => startMotion(store, Number(clips.value)),
  });
  const play = make(
    "button",
    { type: "button", id: "play-button", class: "icon-button", onclick: () => togglePlay(store) },
    icon("play"),
    icon("pause"),
  );
  const stress = make(
    "button",
    {
      type: "button",
      id: "stress-button",
      title: "Rotates each joint through its range, one after the other",
      onclick: () => startMotion(store, STRESS_MOTION),
    },
    "Try every joint",
  );
  const scrub = make("input", {
    type: "range",
    id: "scrub",
    min: 0,
    max: 1,
    step: 0.001,
    value: 0,
    "aria-label": "Position in the motion",
    oninput: () => {
      state.clip = {
        ...state.clip,
        isPlaying: false,
        seconds: Number(scrub.value) * motionSeconds(state),
      };
      followStress(store);
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
    const own = (state.motions?.names ?? []).map((name) => name[0].toUpperCase() + name.slice(1));
    clips.replaceChildren(
      make("option", { value: -1 }, "Still"),
      ...group("From the file", names, (i) => i),
      ...group("Generated for this skeleton", own, (i) => OWN_MOTION - i),
      make("option", { value: STRESS_MOTION }, "Every joint in turn"),
    );
  };
  const update = () => {
    bar.hidden = !state.character || state.fitting !== undefined;
    clips.value = String(state.clip.index);
    const { isPlaying } = state.clip;
    play.classList.toggle("playing", isPlaying);
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

/** Plays the chosen motion, or stops it; if none is chosen, plays the most telling one. */
export function togglePlay(store: Store): void {
  const { state } = store;
  if (!state.character || state.fitting) return;
  const { index, isPlaying } = state.clip;
  if (index !== -1) {
    setPlaying(store, !isPlaying);
    return;
  }
  const isMoving = state.character.clips.clips.length > 0;
  const own = bestMotion(state.motions?.names ?? []);
  startMotion(store, isMoving ? 0 : own >= 0 ? OWN_MOTION - own : STRESS_MOTION);
}

function group(label: string, names: string[], numberOf: (i: number) => number): HTMLElement[] {
  if (names.length === 0) return [];
  const options = names.map((name, i) => make("option", { value: numberOf(i) }, name));
  return [make("optgroup", { label }, ...options)];
}
