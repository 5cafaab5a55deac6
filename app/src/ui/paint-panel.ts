import { findSymmetry, mirrorWeights } from "../../../src/parts.ts";
import type { Actions } from "../actions.ts";
import type { Brush } from "../paint/brush-stroke.ts";
import { copyWeights } from "../paint/history.ts";
import type { Store } from "../store.ts";
import { choice, field, find, make, section, slider, tick } from "./dom.ts";

/** The panel of the brush: what it does, locks, mirror, undo and redo. */
export function createPaintPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const { history } = actions;
  const isOn = tick("Paint in the view", (isOn) => {
    state.brush.isOn = isOn;
    if (isOn && state.look !== "heat") {
      state.look = "heat";
      store.changed("look");
    }
    store.changed("brush");
  });
  isOn.input.id = "paint-on";
  const kind = choice<Brush>(
    "brush",
    "What the brush does",
    [
      { value: "add", text: "Add" },
      { value: "subtract", text: "Subtract" },
      { value: "smooth", text: "Smooth" },
      { value: "replace", text: "Replace" },
    ],
    (value) => {
      state.brush.kind = value;
      store.changed("brush");
    },
  );
  const size = slider(
    { min: 1, max: 20, step: 1, value: 6, label: "Size of the brush" },
    (value) => {
      state.brush.radius = value / 100;
    },
  );
  const strength = slider(
    { min: 0.05, max: 1, step: 0.05, value: 0.3, label: "Strength of the brush" },
    (value) => {
      state.brush.strength = value;
    },
  );
  const both = tick("Paint both sides", (isOn) => {
    state.brush.isMirrored = isOn;
  });
  const lock = tick("Lock this joint", (isOn) => {
    if (isOn) state.locked.add(state.joint);
    else state.locked.delete(state.joint);
    store.changed("brush");
  });
  const change = (edit: () => void) => {
    edit();
    state.isPainted = history.canUndo();
    store.changed("weights", "brush");
    void actions.review();
  };
  const undo = button("Undo", "undo-button", () => change(() => history.undo(state.weights!)));
  const redo = button("Redo", "redo-button", () => change(() => history.redo(state.weights!)));
  const mirror = (source: "high" | "low") =>
    change(() => {
      const { mesh, skeleton } = state.character!.prepared.character;
      const before = copyWeights(state.weights!);
      const joints = Uint8Array.from(skeleton.names, (_, joint) => Number(state.locked.has(joint)));
      const mirrored = mirrorWeights(before, skeleton, findSymmetry({ mesh, skeleton }, 0), mesh, {
        maxInfluences: before.influences,
        prune: 0,
        source,
        ...(state.locked.size > 0 && { locks: { weights: before, joints, rows: false } }),
      });
      state.weights!.joints.set(mirrored.joints);
      state.weights!.weights.set(mirrored.weights);
      history.record(before, state.weights!);
    });
  const left = button("Mirror +x to −x", "mirror-left", () => mirror("high"));
  const right = button("Mirror −x to +x", "mirror-right", () => mirror("low"));
  find("right").append(
    section(
      "Touch up",
      false,
      isOn.element,
      kind.element,
      field("Size", size.element),
      field("Strength", strength.element),
      both.element,
      lock.element,
      make("div", { class: "row" }, undo, redo),
      make("div", { class: "row" }, left, right),
    ),
  );
  const update = () => {
    isOn.input.checked = state.brush.isOn;
    kind.set(state.brush.kind);
    lock.input.checked = state.locked.has(state.joint);
    undo.disabled = !history.canUndo();
    redo.disabled = !history.canRedo();
    left.disabled = right.disabled = !state.weights;
    find("canvas").classList.toggle("painting", state.brush.isOn);
  };
  store.on(["brush", "weights", "joint", "character"], update);
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "range") return;
    const target = event.shiftKey ? redo : undo;
    if (target.disabled) return;
    event.preventDefault();
    target.click();
  });
  update();
}

function button(text: string, id: string, onclick: () => void): HTMLButtonElement {
  return make("button", { type: "button", id, onclick }, text);
}
