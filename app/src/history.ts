/** A step that can be undone and redone. */
export interface Step {
  undo(): void;
  redo(): void;
}

/** Undo history of the open character: strokes, mirrored weights, poses. */
export interface History {
  record(step: Step): void;
  undo(): void;
  redo(): void;
  canUndo(): boolean;
  canRedo(): boolean;
  /** Disables undo and redo while a step such as a stroke is in progress. */
  hold(isHeld: boolean): void;
  clear(): void;
}

/** Maximum number of steps; each holds only what it changed. */
const LONGEST = 200;

/** Creates an empty history. */
export function createHistory(): History {
  const done: Step[] = [];
  const undone: Step[] = [];
  let isHeld = false;
  const move = (from: Step[], to: Step[], act: (step: Step) => void) => {
    const step = isHeld ? undefined : from.pop();
    if (!step) return;
    act(step);
    to.push(step);
  };
  return {
    record(step) {
      done.push(step);
      if (done.length > LONGEST) done.shift();
      undone.length = 0;
    },
    undo: () => move(done, undone, (step) => step.undo()),
    redo: () => move(undone, done, (step) => step.redo()),
    canUndo: () => !isHeld && done.length > 0,
    canRedo: () => !isHeld && undone.length > 0,
    hold(wanted) {
      isHeld = wanted;
    },
    clear() {
      isHeld = false;
      done.length = 0;
      undone.length = 0;
    },
  };
}
