import type { Skeleton } from "../../src/skeleton/skeleton.ts";
import { addWeight, readRow, type SkinWeights } from "../../src/weights/skin-weights.ts";

/** Fraction of each vertex's weight that goes to the root of its heaviest joint. */
const LEAN = 0.3;

/** Returns weights in which every vertex also follows the root of the skeleton, with at most 8 influences. */
export function leanOnRoots(weights: SkinWeights, { parents }: Skeleton): SkinWeights {
  const vertices = weights.joints.length / weights.influences;
  const influences = Math.min(weights.influences + 1, 8);
  const joints = new Uint16Array(vertices * influences);
  const values = new Float32Array(vertices * influences);
  for (let v = 0; v < vertices; v++) {
    const own = readRow(weights, v);
    const row = { joints: own.joints.slice(0, influences - 1), values: [] as number[] };
    row.values = own.values.slice(0, influences - 1);
    const sum = row.values.reduce((total, value) => total + value, 0);
    row.values = row.values.map((value) => (value / sum) * (1 - LEAN));
    let root = row.joints[0];
    while (parents[root] >= 0) root = parents[root];
    addWeight(row, root, LEAN);
    const order = row.joints.map((_, i) => i).sort((a, b) => row.values[b] - row.values[a]);
    joints.set(
      order.map((i) => row.joints[i]),
      v * influences,
    );
    values.set(
      order.map((i) => row.values[i]),
      v * influences,
    );
  }
  return { influences, joints, weights: values };
}
