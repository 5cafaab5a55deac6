import { composeMat4, determinantMat4 } from "../../math/mat4.ts";
import { quaternionFromMat4 } from "../../math/quaternion.ts";
import type { GltfNode } from "./gltf-json.ts";

/**
 * A matrix as a node states it: translation, rotation and scale where that is exact (so that
 * animations can drive it), else the matrix itself. Parts that do nothing are left out.
 */
export function decomposeNode(matrix: ArrayLike<number>): GltfNode {
  const m = Array.from(matrix);
  const translation = [m[12], m[13], m[14]];
  const scale = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
  if (determinantMat4(m) < 0) scale[0] = -scale[0];
  const turned = m.slice();
  for (let i = 0; i < 3; i++) turned[i] *= Math.sign(scale[0]) || 1;
  const rotation = scale.every((s) => s !== 0) ? quaternionFromMat4(turned) : [0, 0, 0, 1];
  const back = composeMat4(translation, rotation, scale);
  const size = Math.max(...scale.map(Math.abs), 1e-30);
  if (m.slice(0, 12).some((value, i) => Math.abs(value - back[i]) > 1e-5 * size)) {
    return {
      matrix: [...m.slice(0, 3), 0, ...m.slice(4, 7), 0, ...m.slice(8, 11), 0, ...translation, 1],
    };
  }
  const node: GltfNode = {};
  if (translation.some((value) => value !== 0)) node.translation = translation;
  if (rotation.slice(0, 3).some((value) => Math.abs(value) > 1e-9)) node.rotation = [...rotation];
  if (scale.some((value) => Math.abs(value - 1) > 1e-7)) node.scale = scale;
  return node;
}
