import { Euler, Quaternion } from "three";
import { createRandom, randomPose } from "../../../src/parts.ts";
import { restRotations } from "../pose-matrices.ts";
import type { Store } from "../store.ts";
import { choice, field, find, make, section, slider, tick } from "./dom.ts";

/** The panel that moves the character: rings, sliders, random poses, the file's animations. */
export function createPosePanel(store: Store): void {
  const { state } = store;
  let seed = 1;
  const rings = tick("Turn joints in the view", (isOn) => {
    state.isTurning = isOn;
    store.changed("joint", "pose");
  });
  const angles = ["X", "Y", "Z"].map((axis) =>
    slider({ min: -180, max: 180, step: 5, value: 0, label: `Turn about ${axis}, degrees` }, () =>
      turn(),
    ),
  );
  const inputs = () => angles.map(({ element }) => Number(element.querySelector("input")!.value));
  const turn = () => {
    const [x, y, z] = inputs().map((degrees) => (degrees * Math.PI) / 180);
    const rotation = new Quaternion().setFromEuler(new Euler(x, y, z, "XYZ"));
    state.rotations.set(rotation.toArray(), state.joint * 4);
    stopClip();
    store.changed("pose");
  };
  const stopClip = () => {
    state.clip = { index: -1, seconds: 0, isPlaying: false };
  };
  const random = button("Random pose", "random-button", () => {
    const { skeleton } = state.character!.prepared.character;
    state.rotations = randomPose(skeleton, createRandom(seed++));
    stopClip();
    store.changed("pose");
  });
  const reset = button("Reset", "reset-button", () => {
    state.rotations = restRotations(state.rotations.length / 4);
    stopClip();
    store.changed("pose");
  });
  const blend = choice(
    "blend",
    "How vertices follow several joints",
    [
      { value: "linear", text: "Linear blend" },
      { value: "dual", text: "Dual quaternion" },
    ],
    (value) => {
      state.isDualQuaternion = value === "dual";
      store.changed("pose");
    },
  );
  const clips = make("select", {
    id: "clips",
    onchange: () => {
      state.clip = { index: Number(clips.value), seconds: 0, isPlaying: Number(clips.value) >= 0 };
      store.changed("pose");
      play(store);
    },
  });
  const clipField = field("Animation", clips);
  find("right").append(
    section(
      "Move",
      false,
      rings.element,
      ...angles.map(({ element }, i) => field(`Turn ${"XYZ"[i]}`, element)),
      make("div", { class: "row" }, random, reset),
      blend.element,
      clipField,
    ),
  );
  blend.set("linear");

  function showAngles() {
    const rotation = new Quaternion().fromArray(state.rotations, state.joint * 4);
    const euler = new Euler().setFromQuaternion(rotation, "XYZ");
    const values = [euler.x, euler.y, euler.z];
    angles.forEach((angle, i) => {
      angle.set(Math.round((values[i] * 180) / Math.PI));
    });
  }

  store.on(["character"], () => {
    const names = state.character?.clips.clips.map(({ name }) => name) ?? [];
    clips.replaceChildren(
      make("option", { value: -1 }, "none"),
      ...names.map((name, i) => make("option", { value: i }, name)),
    );
    clipField.hidden = names.length === 0;
  });
  store.on(["joint", "pose", "character"], () => {
    if (state.rotations.length > 0) showAngles();
    clips.value = String(state.clip.index);
    rings.input.checked = state.isTurning;
    for (const control of [random, reset]) control.disabled = !state.character;
  });
  store.changed("pose");
}

/** Advances the clip with the clock until it is stopped. */
function play(store: Store): void {
  const { clip } = store.state;
  let before = performance.now();
  const step = (now: number) => {
    // Another clip, another character or a pose by hand took its place.
    if (store.state.clip !== clip || !clip.isPlaying) return;
    const { duration } = store.state.character!.clips.clips[clip.index];
    clip.seconds = duration > 0 ? (clip.seconds + (now - before) / 1000) % duration : 0;
    before = now;
    store.changed("pose");
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function button(text: string, id: string, onclick: () => void): HTMLButtonElement {
  return make("button", { type: "button", id, onclick }, text);
}
