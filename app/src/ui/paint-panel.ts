import { mirrorWeights } from "../../../src/parts.ts";
import type { Actions } from "../actions/actions.ts";
import { currentBind } from "../binds.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { Brush } from "../paint/brush-stroke.ts";
import { fillAll, paintable } from "../paint/paint-tools.ts";
import { recordChange } from "../paint/record-change.ts";
import { copyWeights } from "../paint/row-changes.ts";
import type { Store } from "../store.ts";
import { button, choice, field, find, make, section, slider, tick } from "./dom.ts";

/** Creates the panel of the brush: what it does, locks, mirror, undo and redo. */
export function createPaintPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const { history } = actions;
  const isOn = tick("Paint in the view (B)", (isOn) => {
    state.brush.isOn = isOn;
    if (isOn && state.look !== "heat") state.look = "heat";
    if (isOn && state.cover < 0.5) state.cover = 1;
    store.changed("look", "brush");
  });
  isOn.input.id = "paint-on";
  const kind = choice<Brush>(
    "brush",
    "Brush mode",
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
  const size = slider({ min: 1, max: 30, step: 1, value: 6, label: "Brush size" }, (value) => {
    state.brush.radius = value / 100;
  });
  const strength = slider(
    { min: 0.05, max: 1, step: 0.05, value: 0.3, label: "Brush strength" },
    (value) => {
      state.brush.strength = value;
    },
  );
  const both = tick("Paint both sides", (isOn) => {
    state.brush.isMirrored = isOn;
    store.changed("brush");
  });
  both.input.id = "paint-both";
  const through = tick("Paint through (X-ray)", (isOn) => {
    state.brush.isThrough = isOn;
    store.changed("brush");
  });
  through.input.id = "paint-through";
  const fill = button("Fill all", "fill-button", () => change(store, actions, fillAll), {
    title: "Sets the weight of this joint to the strength everywhere; locked joints keep theirs",
  });
  const lock = tick("Lock this joint", (isOn) => {
    if (isOn) state.locked.add(state.joint);
    else state.locked.delete(state.joint);
    store.changed("brush");
  });
  const undo = button("Undo", "undo-button", actions.undo);
  const redo = button("Redo", "redo-button", actions.redo);
  const left = button("Copy left to right", "mirror-left", () => mirror(store, actions, "high"));
  const right = button("Copy right to left", "mirror-right", () => mirror(store, actions, "low"));
  const note = make(
    "p",
    { class: "note" },
    "Ctrl subtracts, Shift smooths, F or [ ] size, { } strength, E picks a weight; ? shows all keys.",
  );
  find("right").append(
    section(
      "Touch up",
      false,
      isOn.element,
      kind.element,
      field("Size", size.element),
      field("Strength", strength.element),
      both.element,
      through.element,
      lock.element,
      make("div", { class: "row" }, undo, redo, fill),
      make("div", { class: "row" }, left, right),
      note,
    ),
  );
  const update = () => {
    isOn.input.checked = state.brush.isOn;
    isOn.input.disabled = state.binds.length === 0;
    both.input.disabled = !state.facts;
    both.input.checked = state.brush.isMirrored;
    through.input.checked = state.brush.isThrough;
    fill.disabled = state.binds.length === 0;
    kind.set(state.brush.kind);
    kind.enable("smooth", state.facts !== undefined);
    size.set(Math.round(state.brush.radius * 100));
    strength.set(Math.round(state.brush.strength * 100) / 100);
    lock.input.checked = state.locked.has(state.joint);
    undo.disabled = !history.canUndo();
    redo.disabled = !history.canRedo();
    left.disabled = right.disabled = !state.facts || state.binds.length === 0;
    find("canvas").classList.toggle("painting", state.brush.isOn);
  };
  store.on(["brush", "binds", "weights", "joint", "character"], update);
  // Manual poses are steps too; a motion changes the pose with every frame and records none.
  store.on(["pose"], () => {
    if (!state.clip.isPlaying) update();
  });
  update();
}

/** Changes the current weights, or a copy of the file's own, as an undoable step. */
function change(
  store: Store,
  actions: Actions,
  task: (store: Store, target: KeptBind) => void,
): void {
  const current = currentBind(store.state);
  if (!current) return;
  const bind = paintable(store, current);
  const before = copyWeights(bind.weights);
  task(store, bind);
  recordChange(store, actions, bind, before);
  store.changed("binds", "weights", "brush");
}

/** Copies the weights of one side to the other; locked joints keep theirs. */
function mirror(store: Store, actions: Actions, source: "high" | "low"): void {
  change(store, actions, ({ state }, { weights }) => {
    const { facts, character, locked } = state;
    if (!facts || !character) return;
    const { mesh, skeleton } = character.prepared.character;
    const before = copyWeights(weights);
    const joints = Uint8Array.from(skeleton.names, (_, joint) => Number(locked.has(joint)));
    const mirrored = mirrorWeights(before, skeleton, facts.symmetry, mesh, {
      maxInfluences: before.influences,
      prune: 0,
      source,
      ...(locked.size > 0 && { locks: { weights: before, joints, rows: false } }),
    });
    weights.joints.set(mirrored.joints);
    weights.weights.set(mirrored.weights);
  });
}
