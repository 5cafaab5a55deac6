import type { SkinWeights } from "../../../src/index.ts";
import { takeWeights } from "../../../src/parts.ts";
import type { Step } from "../history.ts";

/** Copies weights, so that the original can be changed. */
export function copyWeights({ influences, joints, weights }: SkinWeights): SkinWeights {
  return { influences, joints: joints.slice(), weights: weights.slice() };
}

/**
 * Returns the difference between an earlier copy and the weights as an undoable step on those weights; undefined
 * if there is none. Only changed rows are stored.
 */
export function rowChanges(before: SkinWeights, now: SkinWeights): Step | undefined {
  const vertices = changedRows(before, now);
  if (vertices.length === 0) return undefined;
  const [old, fresh] = [takeWeights(before, vertices), takeWeights(now, vertices)];
  return {
    undo: () => putRows(now, vertices, old),
    redo: () => putRows(now, vertices, fresh),
  };
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
