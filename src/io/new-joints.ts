import { composeMat4, transformPoint } from "../math/mat4.ts";
import type { Rig } from "./gltf/bind-space.ts";
import { decomposeNode } from "./gltf/decompose-node.ts";
import { inverseOf, product } from "./matrices.ts";

/**
 * Where the joints of another file's skeleton stand in a file that takes them in: turned as they were,
 * without scale, which the units of two files would only confuse.
 *
 * @param toFile from the character's space to the file's
 * @returns to the file's world, one per joint
 */
export function rigidJoints({ bindMatrices }: Rig, toFile: ArrayLike<number>): number[][] {
  return bindMatrices.map((bind) => {
    const whole = product(toFile, bind);
    const { rotation = [0, 0, 0, 1] } = decomposeNode(whole);
    return composeMat4(transformPoint(whole, [0, 0, 0]), rotation);
  });
}

/** The joints' matrices to their parents' space. */
export function localJoints(parents: ArrayLike<number>, worlds: number[][]): number[][] {
  return worlds.map((world, joint) => {
    const parent = parents[joint];
    return parent < 0 ? world : product(inverseOf(worlds[parent]), world);
  });
}
