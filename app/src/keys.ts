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
