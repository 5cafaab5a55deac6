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
  /**
   * J×3, the end of each leaf joint's bone, such as a tail in Blender or an end nub; a joint without one has its own
   * position there. Without ends, a leaf continues in the direction of its parent. Ignored for joints with children.
   */
  ends?: Float32Array | undefined;
}

/** Returns the end of a joint's bone if the skeleton states one. */
export function endOf({ positions, ends }: Skeleton, joint: number): Float32Array | undefined {
  const end = ends?.subarray(joint * 3, joint * 3 + 3);
  return end?.some((value, axis) => value !== positions[joint * 3 + axis]) ? end : undefined;
}

/** Returns a skeleton with other positions; its ends are dropped, because they belong to the old ones. */
export function withPositions({ names, parents }: Skeleton, positions: Float32Array): Skeleton {
  return { names, parents, positions };
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

/** Returns the depth of each joint below its root, and the number of joints at or below it. */
export function depthsAndSizes(skeleton: Skeleton): { depth: Int32Array; size: Int32Array } {
  const depth = new Int32Array(jointCount(skeleton));
  const size = new Int32Array(depth.length).fill(1);
  const order = parentsFirst(skeleton);
  for (const joint of order) {
    const parent = skeleton.parents[joint];
    if (parent >= 0) depth[joint] = depth[parent] + 1;
  }
  for (const joint of order.toReversed()) {
    const parent = skeleton.parents[joint];
    if (parent >= 0) size[parent] += size[joint];
  }
  return { depth, size };
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
