import { childrenOf, jointCount, type Skeleton } from "./skeleton.ts";

/**
 * All joints in an order in which each parent comes before its children.
 *
 * @returns J joint indices
 */
export function parentsFirst(skeleton: Skeleton): Int32Array {
  const count = jointCount(skeleton);
  const children = childrenOf(skeleton);
  const order = new Int32Array(count);
  let end = 0;
  for (let joint = 0; joint < count; joint++) {
    if (skeleton.parents[joint] < 0) order[end++] = joint;
  }
  for (let at = 0; at < end; at++) {
    for (const child of children[order[at]]) order[end++] = child;
  }
  if (end < count) {
    throw new Error(
      `parentsFirst: the hierarchy must not have cycles, but ${count - end} of ${count} joints lead to no root.`,
    );
  }
  return order;
}
