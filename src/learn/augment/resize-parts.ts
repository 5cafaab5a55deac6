import { normal, type Random } from "../../math/random.ts";
import { otherSideNames } from "../../skeleton/joint-pairs.ts";
import { childrenOf, jointCount, parentsFirst, type Skeleton } from "../../skeleton/skeleton.ts";
import { linearBlend } from "../../weights/deform.ts";
import type { Weighted } from "./weighted.ts";

export interface ResizeOptions {
  /** Standard deviation of the logarithm of a joint's size. */
  size: number;
  /** Standard deviation of the logarithm of a bone's length. */
  length: number;
  /** Fraction of its parent's change of size that a joint inherits. */
  inherit: number;
}

/**
 * Changes the proportions: each joint scales its subtree, and bones with one child change their
 * length; the artist's weights deform the mesh. Both sides of a body change alike.
 */
export function resizeParts(
  character: Weighted,
  random: Random,
  { size, length, inherit }: ResizeOptions = { size: 0.18, length: 0.2, inherit: 0.7 },
): Weighted {
  const { mesh, skeleton, weights } = character;
  const { parents, positions } = skeleton;
  const children = childrenOf(skeleton);
  const changes = sharedChanges(skeleton, random);
  const logSize = new Float64Array(jointCount(skeleton));
  const moved = positions.slice();
  const matrices = new Float32Array(jointCount(skeleton) * 16);
  for (const joint of parentsFirst(skeleton)) {
    const parent = parents[joint];
    const above = parent < 0 ? 0 : logSize[parent];
    const change = changes(joint);
    logSize[joint] = inherit * above + size * change.size;
    if (parent >= 0) moved.set(transformed(matrices, parent, positions, joint), joint * 3);
    const only = children[joint].length === 1 ? children[joint][0] : -1;
    const stretch = only < 0 ? 1 : Math.exp(length * change.length);
    const scale = Math.exp(logSize[joint]);
    matrices.set(scaling(positions, moved, joint, only, scale, stretch), joint * 16);
  }
  return {
    ...character,
    mesh: { ...mesh, positions: linearBlend(mesh.positions, weights, matrices) },
    skeleton: { ...skeleton, positions: moved },
  };
}

/** Returns random changes by joint, the same for both sides of a body. */
function sharedChanges(
  { names }: Skeleton,
  random: Random,
): (joint: number) => { size: number; length: number } {
  const drawn = new Map<string, { size: number; length: number }>();
  return (joint) => {
    const name = names[joint];
    const key = name === "" ? `#${joint}` : [name, ...otherSideNames(name)].sort()[0];
    const change = drawn.get(key) ?? { size: normal(random), length: normal(random) };
    drawn.set(key, change);
    return change;
  };
}

/**
 * Returns a matrix (column-major) that scales about the joint and stretches along the bone to its
 * only child.
 */
function scaling(
  from: Float32Array,
  to: Float32Array,
  joint: number,
  child: number,
  scale: number,
  stretch: number,
): Float32Array {
  const axis = [0, 1, 2].map((i) => (child < 0 ? 0 : from[child * 3 + i] - from[joint * 3 + i]));
  const squared = axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2;
  const along = squared > 1e-12 ? (stretch - 1) / squared : 0;
  const out = new Float32Array(16);
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      const identity = row === column ? 1 : 0;
      out[column * 4 + row] = scale * (identity + along * axis[row] * axis[column]);
    }
  }
  for (let row = 0; row < 3; row++) {
    let moved = to[joint * 3 + row];
    for (let i = 0; i < 3; i++) moved -= out[i * 4 + row] * from[joint * 3 + i];
    out[12 + row] = moved;
  }
  out[15] = 1;
  return out;
}

function transformed(
  matrices: Float32Array,
  parent: number,
  positions: Float32Array,
  joint: number,
): number[] {
  const m = parent * 16;
  return [0, 1, 2].map((row) => {
    let sum = matrices[m + 12 + row];
    for (let i = 0; i < 3; i++) sum += matrices[m + i * 4 + row] * positions[joint * 3 + i];
    return sum;
  });
}
