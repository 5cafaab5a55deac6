import { inverseOf, product, transformDirection } from "../../math/mat4.ts";
import { multiplyQuaternions, type Quaternion, quaternionFromMat4 } from "../../math/quaternion.ts";
import { distance } from "../../math/vec3.ts";
import type { MotionClip } from "../../motion/motions.ts";
import { parentsFirst } from "../../skeleton/skeleton.ts";
import type { CharacterFile } from "../character-file.ts";
import { localJoints } from "../rows.ts";
import type { Rig } from "./bind-space.ts";
import { type Clip, type ClipChannel, type ClipSet, partsOf, readClips } from "./clips.ts";
import { addAccessor, type GltfBuilder } from "./gltf-builder.ts";
import { addEntry, type GltfAnimation } from "./gltf-json.ts";
import { nodeTree } from "./node-tree.ts";

/**
 * Carries the animations of a skeleton's file over to its joints in another body.
 *
 * Rotations stay as they are. Translations of a joint keep their relation to the length of its bone, or, at a
 * root, to its height, so that a body with shorter legs takes shorter steps. Scales are not carried over.
 *
 * @param from read with its own skeleton; joints are matched by name
 * @returns clips whose channels name joints of the rig in place of nodes
 */
function carriedClips(rig: Rig, from: CharacterFile): Clip[] {
  const set = readClips(from);
  const jointOf = new Map(rig.skeleton.names.map((name, joint) => [name, joint]));
  const sources = new Map(
    Array.from(set.joints, (node, joint) => [
      node,
      { joint, name: from.rig.skeleton.names[joint] },
    ]),
  );
  return set.clips
    .map((clip) => {
      const channels = clip.channels.flatMap((channel) => {
        const source = sources.get(channel.node);
        const joint = source && jointOf.get(source.name);
        if (!source || joint === undefined || channel.path === "scale") return [];
        const values =
          channel.path === "rotation"
            ? carriedRotations(set, channel)
            : carriedTranslations(set, channel, from.rig, source.joint, rig, joint);
        return [{ ...channel, node: joint, values }];
      });
      return { ...clip, channels };
    })
    .filter(({ channels }) => channels.length > 0);
}

/** Returns carried animations to be played on a rig whose joints are not in its file yet. */
export function carriedClipSet(rig: Rig, from: CharacterFile): ClipSet {
  const { skeleton, bindMatrices } = rig;
  const { parents } = skeleton;
  const locals = localJoints(parents, bindMatrices);
  return {
    clips: carriedClips(rig, from),
    parents,
    order: parentsFirst(skeleton),
    locals,
    parts: locals.map((matrix) => partsOf({ matrix })),
    joints: Int32Array.from(parents.keys()),
    inverses: bindMatrices.map(inverseOf),
  };
}

/**
 * Writes the animations of a skeleton's file: see {@link carriedClips}.
 *
 * @param nodes J, the node of each joint in the output
 */
export function carryAnimations(
  builder: GltfBuilder,
  rig: Rig,
  nodes: Int32Array,
  from: CharacterFile,
): void {
  for (const { name, channels } of carriedClips(rig, from)) {
    const animation: GltfAnimation = { name, channels: [], samplers: [] };
    for (const { node, path, times, values, interpolation } of channels) {
      const input = addAccessor(builder, { data: times, type: "SCALAR", bounds: true });
      const type = path === "rotation" ? "VEC4" : "VEC3";
      const output = addAccessor(builder, { data: values, type });
      animation.samplers.push({ input, output, interpolation });
      animation.channels.push({
        sampler: animation.samplers.length - 1,
        target: { node: nodes[node], path },
      });
    }
    addEntry(builder.json, "animations", animation);
  }
}

/** Rest matrix from a node's parent to the nearest joint above it, or to the world. */
function between({ parents, locals, joints }: ClipSet, node: number): number[] | undefined {
  const isJoint = new Set(joints);
  let matrix: number[] | undefined;
  for (let at = parents[node]; at >= 0 && !isJoint.has(at); at = parents[at]) {
    matrix = matrix ? product(locals[at], matrix) : locals[at];
  }
  return matrix;
}

function carriedRotations(set: ClipSet, { node, values }: ClipChannel): Float32Array {
  const above = between(set, node);
  if (!above) return values.slice();
  const turn = quaternionFromMat4(above);
  const out = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 4) {
    out.set(multiplyQuaternions(turn, values.subarray(at, at + 4)), at);
  }
  return out;
}

function carriedTranslations(
  set: ClipSet,
  channel: ClipChannel,
  from: Rig,
  source: number,
  to: Rig,
  joint: number,
): Float32Array {
  const rest = localPosition(to, joint);
  const old = set.parts[channel.node].translation;
  const ratio = boneLength(to, joint) / (boneLength(from, source) || 1);
  const above = between(set, channel.node);
  const size = channel.values.length / channel.times.length;
  return channel.values.map((value, i) => {
    const axis = i % 3;
    // Tangents of a cubic spline are differences.
    const isTangent = size === 9 && Math.floor(i / 3) % 3 !== 1;
    if (isTangent) return value * ratio;
    const at = i - axis;
    const shift = [0, 1, 2].map((d) => channel.values[at + d] - old[d]);
    const turned = above
      ? above[axis] * shift[0] + above[4 + axis] * shift[1] + above[8 + axis] * shift[2]
      : shift[axis];
    return rest[axis] + turned * ratio;
  });
}

function localPosition({ skeleton, bindMatrices }: Rig, joint: number): number[] {
  const parent = skeleton.parents[joint];
  const own = bindMatrices[joint];
  return (parent < 0 ? own : product(inverseOf(bindMatrices[parent]), own)).slice(12, 15);
}

/** Distance from the parent; the height above the lowest joint at a root or where that is nothing. */
function boneLength({ skeleton }: Rig, joint: number): number {
  const { parents, positions } = skeleton;
  const at = (j: number) => positions.subarray(j * 3, j * 3 + 3);
  const parent = parents[joint];
  const ys = positions.filter((_, i) => i % 3 === 1);
  const low = Math.min(...ys);
  const isRoot = parent < 0 || parents[parent] < 0;
  const length = isRoot ? positions[joint * 3 + 1] - low : distance(at(joint), at(parent));
  return length > 1e-6 ? length : Math.max(...ys) - low || 1;
}

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
