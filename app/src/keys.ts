import type { Actions } from "./actions/actions.ts";
import type { Store } from "./store.ts";
import { clearAlert } from "./ui/alerts.ts";
import { togglePlay } from "./ui/motion-bar.ts";
import { toggleShortcuts } from "./ui/shortcuts.ts";
import type { CharacterView } from "./view/character-view.ts";

/** Rotation per key press, in radians. */
const STEP = Math.PI / 18;

/** Lets the keyboard rotate and zoom the view while the canvas has the focus. */
export function connectKeys(view: CharacterView, { state }: Store): void {
  const { canvas, turn, zoom, stand } = view.viewport;
  let isFront = false;
  const actions: Record<string, () => void> = {
    ArrowLeft: () => turn(-STEP, 0),
    ArrowRight: () => turn(STEP, 0),
    ArrowUp: () => turn(0, STEP),
    ArrowDown: () => turn(0, -STEP),
    "+": () => zoom(0.9),
    "-": () => zoom(1 / 0.9),
    Home: () => view.frame(),
    f: () => {
      if (!state.brush.isOn) view.frameJoint();
    },
    "1": () => {
      isFront = !isFront;
      stand(isFront ? "front" : "back");
    },
    "3": () => stand("left"),
    "7": () => stand("top"),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !act) return;
    event.preventDefault();
    act();
  });
  // Also in the tree, where joints are chosen.
  document.querySelector("#left .joints")?.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key.toLowerCase() === "f" && !ctrlKey && !metaKey) view.frameJoint();
  });
}

/** Keys that work wherever the focus is, except in text fields: undo, brush, motion, escape. */
export function connectShortcuts(store: Store, actions: Actions): void {
  const { state } = store;
  const brush = (change: () => void) => () => {
    change();
    store.changed("brush");
  };
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  const plain: Record<string, () => void> = {
    b: brush(() => {
      state.brush.isOn = !state.brush.isOn;
    }),
    "[": brush(() => {
      state.brush.radius = clamp(state.brush.radius - 0.01, 0.01, 0.3);
    }),
    "]": brush(() => {
      state.brush.radius = clamp(state.brush.radius + 0.01, 0.01, 0.3);
    }),
    "{": brush(() => {
      state.brush.strength = clamp(state.brush.strength - 0.05, 0.05, 1);
    }),
    "}": brush(() => {
      state.brush.strength = clamp(state.brush.strength + 0.05, 0.05, 1);
    }),
    x: () => {
      state.isPeeking = !state.isPeeking;
      store.changed("binds", "weights", "look");
    },
    "?": toggleShortcuts,
    " ": () => togglePlay(store),
    Escape: () => leave(store),
  };
  /** Keys that the focused control handles itself. */
  const isTaken = (key: string, target: EventTarget | null) =>
    key === " " &&
    target instanceof Element &&
    target.closest("button, input, summary, a") !== null;
  addEventListener("keydown", (event) => {
    if (
      event.target instanceof HTMLInputElement &&
      !/range|checkbox|radio/.test(event.target.type)
    ) {
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      const isRedo = key === "y" || (key === "z" && event.shiftKey);
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (isRedo) actions.redo();
      else actions.undo();
      return;
    }
    if (event.altKey || event.target instanceof HTMLSelectElement) return;
    if (!plain[key] || isTaken(key, event.target)) return;
    if (key === " ") event.preventDefault();
    plain[key]();
  });
}

/** Leaves the innermost mode: painting, posing, two views; one per press. */
function leave({ state, changed }: Store): void {
  const isAlert = document.querySelector("#alerts .alert:not(.notice) .close") !== null;
  clearAlert();
  if (isAlert) return;
  if (state.brush.isOn) state.brush.isOn = false;
  else if (state.isTurning) state.isTurning = false;
  else if (state.arrangement !== "one") state.arrangement = "one";
  else if (state.solo !== undefined) state.solo = undefined;
  else state.marked = [];
  changed("brush", "joint", "look", "binds", "pose");
}
