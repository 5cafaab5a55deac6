import { placesIn } from "../math/lists.ts";
import type { Skeleton } from "./skeleton.ts";

/** Places of joints are compared in steps of this, so that their last digits do not matter. */
const STEP = 1e-3;

/**
 * For each joint, how many come before it by place, and then by name: an order that hangs on neither the
 * numbering of joints nor the last digits of coordinates.
 *
 * @param skeleton prepared: the mesh's longest side is 1
 */
export function placeRank({ positions, names }: Skeleton): Int32Array {
  const steps = Array.from(positions, (value) => Math.round(value / STEP));
  const order = names.map((_, joint) => joint);
  order.sort((a, b) => {
    const axis = [0, 1, 2].find((each) => steps[a * 3 + each] !== steps[b * 3 + each]);
    if (axis !== undefined) return steps[a * 3 + axis] - steps[b * 3 + axis];
    return names[a] === names[b] ? a - b : names[a] < names[b] ? -1 : 1;
  });
  return placesIn(Int32Array.from(order), order.length);
}
