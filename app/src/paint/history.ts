import type { SkinWeights } from "../../../src/index.ts";
import { takeWeights } from "../../../src/parts.ts";

/** A change that can be taken back: the rows it touched, before and after. */
interface Change {
  vertices: Int32Array;
  before: SkinWeights;
  after: SkinWeights;
}

/** Changes to one set of weights, to be undone and redone. */
export interface History {
  /** Notes what changed between a copy taken before and the weights now; nothing if nothing did. */
  record(before: SkinWeights, now: SkinWeights): void;
  undo(weights: SkinWeights): void;
  redo(weights: SkinWeights): void;
  canUndo(): boolean;
  canRedo(): boolean;
  clear(): void;
}

/** Strokes kept; each holds only the rows it touched. */
const LONGEST = 200;

/** Begins without changes. */
export function createHistory(): History {
  const done: Change[] = [];
  const undone: Change[] = [];
  return {
    record(before, now) {
      const vertices = changedRows(before, now);
      if (vertices.length === 0) return;
      done.push({
        vertices,
        before: takeWeights(before, vertices),
        after: takeWeights(now, vertices),
      });
      if (done.length > LONGEST) done.shift();
      undone.length = 0;
    },
    undo(weights) {
      const change = done.pop();
      if (!change) return;
      putRows(weights, change.vertices, change.before);
      undone.push(change);
    },
    redo(weights) {
      const change = undone.pop();
      if (!change) return;
      putRows(weights, change.vertices, change.after);
      done.push(change);
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    clear() {
      done.length = 0;
      undone.length = 0;
    },
  };
}

/** A copy of weights that may be changed. */
export function copyWeights({ influences, joints, weights }: SkinWeights): SkinWeights {
  return { influences, joints: joints.slice(), weights: weights.slice() };
}

function changedRows(before: SkinWeights, now: SkinWeights): Int32Array {
  const rows = new Set<number>();
  for (let slot = 0; slot < now.weights.length; slot++) {
    if (before.weights[slot] !== now.weights[slot] || before.joints[slot] !== now.joints[slot]) {
      rows.add(Math.floor(slot / now.influences));
    }
  }
  return Int32Array.from(rows);
}

function putRows(
  { influences, joints, weights }: SkinWeights,
  vertices: Int32Array,
  rows: SkinWeights,
): void {
  vertices.forEach((v, i) => {
    const [from, to] = [i * influences, (i + 1) * influences];
    joints.set(rows.joints.subarray(from, to), v * influences);
    weights.set(rows.weights.subarray(from, to), v * influences);
  });
}
