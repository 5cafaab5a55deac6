import type { Actions } from "./actions/actions.ts";
import type { Store } from "./store.ts";
import type { CharacterView } from "./view/character-view.ts";

/** Radians of a key press. */
const STEP = Math.PI / 18;

/** Lets the keyboard turn and zoom the view while the canvas has the focus. */
export function connectKeys(view: CharacterView): void {
  const { canvas, turn, zoom } = view.viewport;
  const actions: Record<string, () => void> = {
    ArrowLeft: () => turn(-STEP, 0),
    ArrowRight: () => turn(STEP, 0),
    ArrowUp: () => turn(0, STEP),
    ArrowDown: () => turn(0, -STEP),
    "+": () => zoom(0.9),
    "-": () => zoom(1 / 0.9),
    Home: () => view.frame(),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}

/** Keys that work wherever the focus is, but for fields that take text: undo, brush, motion, escape. */
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
    Escape: () => leave(store),
  };
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
    plain[key]?.();
  });
}

/** Leaves what is on: painting, turning, two views; one thing a time. */
function leave({ state, changed }: Store): void {
  if (state.brush.isOn) state.brush.isOn = false;
  else if (state.isTurning) state.isTurning = false;
  else if (state.arrangement !== "one") state.arrangement = "one";
  else state.marked = [];
  changed("brush", "joint", "look", "binds", "pose");
}
