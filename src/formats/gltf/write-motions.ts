import { inverseOf, product, transformDirection } from "../../math/mat4.ts";
import { multiplyQuaternions, type Quaternion, quaternionFromMat4 } from "../../math/quaternion.ts";
import type { MotionClip } from "../../motion/motions.ts";
import type { Rig } from "./bind-space.ts";
import { addAccessor, type GltfBuilder } from "./gltf-builder.ts";
import { addEntry, type GltfAnimation } from "./gltf-json.ts";
import { nodeTree } from "./node-tree.ts";

/** Rotations and translations that change by less than this over a clip are not written. */
const STILL = 1e-5;

/**
 * Adds clips as animations of the joints' nodes.
 *
 * A clip rotates joints about the axes of the bind pose; a node rotates in the frame of its parent, which is
 * the parent joint's bind matrix, or the world matrix of another node.
 *
 * @param nodes J, the node of each joint
 */
export function writeMotions(
  builder: GltfBuilder,
  { skeleton, bindMatrices }: Rig,
  nodes: Int32Array,
  clips: readonly MotionClip[],
): void {
  const { json } = builder;
  const tree = nodeTree(json);
  const jointOf = new Map(Array.from(nodes, (node, joint) => [node, joint]));
  const frames = Array.from(nodes, (node) => {
    const parent = tree.parents[node];
    const joint = jointOf.get(parent);
    return joint !== undefined ? bindMatrices[joint] : parent < 0 ? undefined : tree.worlds[parent];
  });
  for (const clip of clips) {
    const animation: GltfAnimation = { name: clip.name, channels: [], samplers: [] };
    const input = addAccessor(builder, { data: clip.times, type: "SCALAR", bounds: true });
    const add = (node: number, path: string, type: "VEC3" | "VEC4", data: Float32Array) => {
      const output = addAccessor(builder, { data, type });
      animation.samplers.push({ input, output, interpolation: "LINEAR" });
      animation.channels.push({
        sampler: animation.samplers.length - 1,
        target: { node, path },
      });
    };
    nodes.forEach((node, joint) => {
      const frame = frames[joint];
      const local = frame ? product(inverseOf(frame), bindMatrices[joint]) : bindMatrices[joint];
      const turns = localRotations(clip, skeleton.names.length, joint, frame, local);
      if (turns) add(node, "rotation", "VEC4", turns);
      const shifts = localShifts(clip, skeleton.names.length, joint, frame, local);
      if (shifts) add(node, "translation", "VEC3", shifts);
    });
    if (animation.channels.length > 0) addEntry(json, "animations", animation);
  }
}

/** P⁻¹ R P L for each pose: R about bind-pose axes, P the frame of the parent, L the local rotation at rest. */
function localRotations(
  { times, rotations }: MotionClip,
  joints: number,
  joint: number,
  frame: number[] | undefined,
  local: number[],
): Float32Array | undefined {
  const P: Quaternion = frame ? quaternionFromMat4(frame) : [0, 0, 0, 1];
  const inverse: Quaternion = [-P[0], -P[1], -P[2], P[3]];
  const L = quaternionFromMat4(local);
  const out = new Float32Array(times.length * 4);
  let moves = false;
  let last: Quaternion = L;
  for (let k = 0; k < times.length; k++) {
    const at = (k * joints + joint) * 4;
    const R = rotations.subarray(at, at + 4);
    if (1 - Math.abs(R[3]) > STILL * STILL) moves = true;
    const turned = multiplyQuaternions(multiplyQuaternions(multiplyQuaternions(inverse, R), P), L);
    // The same half of the sphere, so that players interpolate along the shorter arc.
    const dot = turned.reduce((sum, value, i) => sum + value * last[i], 0);
    last = dot < 0 ? (turned.map((value) => -value) as Quaternion) : turned;
    out.set(last, k * 4);
  }
  return moves ? out : undefined;
}

function localShifts(
  { times, translations }: MotionClip,
  joints: number,
  joint: number,
  frame: number[] | undefined,
  local: number[],
): Float32Array | undefined {
  const toLocal = frame && inverseOf(frame);
  const out = new Float32Array(times.length * 3);
  let moves = false;
  for (let k = 0; k < times.length; k++) {
    const at = (k * joints + joint) * 3;
    const shift = translations.subarray(at, at + 3);
    if (shift.some((value) => value !== 0)) moves = true;
    const turned = toLocal ? transformDirection(toLocal, shift) : shift;
    for (let axis = 0; axis < 3; axis++) out[k * 3 + axis] = local[12 + axis] + turned[axis];
  }
  return moves ? out : undefined;
}
