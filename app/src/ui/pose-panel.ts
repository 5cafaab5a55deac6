import { Euler, Quaternion } from "three";
import { createRandom, randomPose } from "../../../src/parts.ts";
import type { Actions } from "../actions/actions.ts";
import { restRotations } from "../pose-matrices.ts";
import { noMotion, type Store } from "../store.ts";
import { button, choice, field, find, make, section, slider, tick } from "./dom.ts";

/** Sets the pose by hand, as an undoable step. */
export function recordPose(
  { state, changed }: Store,
  { history }: Actions,
  before: Float32Array,
): void {
  const after = state.rotations.slice();
  if (before.length !== after.length || after.every((value, i) => value === before[i])) return;
  const put = (rotations: Float32Array) => () => {
    state.rotations = rotations.slice();
    state.clip = noMotion();
    changed("pose");
  };
  history.record({ undo: put(before.slice()), redo: put(after) });
  changed("brush");
}

/** Creates the panel that poses: rings, sliders, random poses, and the kind of skinning. */
export function createPosePanel(store: Store, actions: Actions): void {
  const { state } = store;
  let seed = 1;
  let before: Float32Array | undefined;
  const rings = tick("Rotate joints in the view", (isOn) => {
    state.isTurning = isOn;
    if (isOn) state.clip = noMotion();
    store.changed("joint", "pose");
  });
  rings.input.id = "turn-on";
  const angles = ["X", "Y", "Z"].map((axis) =>
    slider(
      { min: -180, max: 180, step: 5, value: 0, label: `Rotation about ${axis}, degrees` },
      () => turn(),
    ),
  );
  for (const { element } of angles) {
    element.addEventListener("change", () => {
      if (before) recordPose(store, actions, before);
      before = undefined;
    });
  }
  const turn = () => {
    before ??= state.rotations.slice();
    const [x, y, z] = angles.map(
      ({ element }) => (Number(element.querySelector("input")!.value) * Math.PI) / 180,
    );
    const rotation = new Quaternion().setFromEuler(new Euler(x, y, z, "XYZ"));
    state.rotations.set(rotation.toArray(), state.joint * 4);
    state.clip = noMotion();
    store.changed("pose");
  };
  const pose = (rotations: Float32Array) => {
    const old = state.rotations;
    state.rotations = rotations;
    state.clip = noMotion();
    recordPose(store, actions, old);
    store.changed("pose");
  };
  const random = button("Random pose", "random-button", () => {
    const { skeleton } = state.character!.prepared.character;
    const rotations = randomPose(skeleton, createRandom(seed++));
    // Rotating a root would tip the body out of the view.
    skeleton.parents.forEach((parent, joint) => {
      if (parent < 0) rotations.set([0, 0, 0, 1], joint * 4);
    });
    pose(rotations);
  });
  const reset = button("Back to rest", "reset-button", () =>
    pose(restRotations(state.rotations.length / 4)),
  );
  const blend = choice(
    "blend",
    "Skinning method",
    [
      { value: "linear", text: "Linear blend" },
      { value: "dual", text: "Dual quaternion" },
    ],
    (value) => {
      state.isDualQuaternion = value === "dual";
      store.changed("pose");
    },
  );
  find("right").append(
    section(
      "Pose",
      false,
      rings.element,
      ...angles.map(({ element }, i) => field(`Turn ${"XYZ"[i]}`, element)),
      make("div", { class: "row" }, random, reset),
      blend.element,
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

  store.on(["joint", "pose", "character"], () => {
    if (state.rotations.length > 0 && !state.clip.isPlaying) showAngles();
    rings.input.checked = state.isTurning;
    for (const control of [random, reset]) control.disabled = !state.character;
  });
  store.changed("pose");
}
