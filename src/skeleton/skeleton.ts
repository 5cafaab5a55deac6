/**
 * Joints of a character in its bind pose, in the space of its mesh.
 *
 * @example
 * const skeleton: Skeleton = {
 *   names: ["hip", "knee"],
 *   parents: Int32Array.of(-1, 0),
 *   positions: Float32Array.of(0, 1, 0, 0, 0.5, 0),
 * };
 */
export interface Skeleton {
  /** J names as in the file; need not be unique. */
  names: string[];
  /** J, the parent of each joint, -1 at a root. A parent may come after its child. */
  parents: Int32Array;
  /** J×3. */
  positions: Float32Array;
}

/** Returns the number of joints J. */
export function jointCount(skeleton: Skeleton): number {
  return skeleton.parents.length;
}

/** Returns the children of each joint, in joint order. */
export function childrenOf(skeleton: Skeleton): number[][] {
  const children: number[][] = Array.from({ length: jointCount(skeleton) }, () => []);
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) children[parent].push(joint);
  });
  return children;
}

/** Returns the indices of all joints in an order in which each parent comes before its children. */
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
  if (end < count)
    throw new Error(`parentsFirst: the hierarchy has cycles; ${count - end} joints have no root.`);
  return order;
}
