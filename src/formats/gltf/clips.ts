import { composeMat4, inverseOf, product } from "../../math/mat4.ts";
import { normalizeQuaternion, quaternionFromMat4, slerp } from "../../math/quaternion.ts";
import type { CharacterFile } from "../character-file.ts";
import { readFloats } from "./accessors.ts";
import type { GltfAnimation, GltfNode } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { localMatrix, nodeTree } from "./node-tree.ts";

/** One animated property of one node. */
export interface ClipChannel {
  node: number;
  path: "translation" | "rotation" | "scale";
  interpolation: "LINEAR" | "STEP" | "CUBICSPLINE";
  /** T seconds, ascending. */
  times: Float32Array;
  /** T×3 or T×4; T×3×3 or T×3×4 (in-tangent, value, out-tangent) for CUBICSPLINE. */
  values: Float32Array;
}

/** The same, or the weights of a node's morph targets, T×S. */
export type AnyChannel = Omit<ClipChannel, "path"> & { path: ClipChannel["path"] | "weights" };

/** An animation of a file. */
export interface Clip {
  name: string;
  /** Seconds. */
  duration: number;
  channels: ClipChannel[];
}

/** The animations of a file and the data needed to play them on its character. */
export interface ClipSet {
  clips: Clip[];
  /** N, the parent of each node, -1 at a root. */
  parents: Int32Array;
  /** N nodes, each after its parent. */
  order: Int32Array;
  /** N, each node's local matrix at rest. */
  locals: number[][];
  /** N, the components of that matrix, which channels replace. */
  parts: { translation: number[]; rotation: number[]; scale: number[] }[];
  /** J, the node of each joint. */
  joints: Int32Array;
  /** J matrices from character space to joint space in the bind pose. */
  inverses: number[][];
}

/**
 * Returns the matrices from the bind pose to a clip's pose, for `linearBlend`.
 *
 * @param seconds clamped to the clip
 * @returns J×16, column-major
 */
export function clipPose(set: ClipSet, clip: Clip, seconds: number): Float32Array {
  const locals = animatedLocals(set, clip, seconds);
  const worlds: number[][] = new Array(locals.length);
  for (const node of set.order) {
    const parent = set.parents[node];
    worlds[node] = parent < 0 ? locals[node] : product(worlds[parent], locals[node]);
  }
  const matrices = new Float32Array(set.joints.length * 16);
  set.joints.forEach((node, joint) => {
    matrices.set(product(worlds[node], set.inverses[joint]), joint * 16);
  });
  return matrices;
}

function animatedLocals({ locals, parts }: ClipSet, clip: Clip, seconds: number): number[][] {
  const moved = new Map<number, ClipSet["parts"][number]>();
  for (const channel of clip.channels) {
    const node = moved.get(channel.node) ?? { ...parts[channel.node] };
    moved.set(channel.node, node);
    node[channel.path] = sampleChannel(channel, seconds);
  }
  const out = locals.slice();
  for (const [node, { translation, rotation, scale }] of moved) {
    out[node] = composeMat4(translation, rotation, scale);
  }
  return out;
}

/** Samples a channel with the interpolations of glTF 2.0. */
export function sampleChannel(channel: AnyChannel, seconds: number): number[] {
  const { times, values, interpolation, path } = channel;
  const isCubic = interpolation === "CUBICSPLINE";
  const size = values.length / times.length / (isCubic ? 3 : 1);
  const isRotation = path === "rotation";
  const at = (key: number, part = 1): number[] => {
    const start = isCubic ? (key * 3 + part) * size : key * size;
    return Array.from(values.subarray(start, start + size));
  };
  const next = firstAfter(times, seconds);
  if (next === 0) return at(0);
  if (next === times.length || interpolation === "STEP") return at(next - 1);
  const span = times[next] - times[next - 1];
  const t = (seconds - times[next - 1]) / span;
  const [from, to] = [at(next - 1), at(next)];
  if (!isCubic) {
    return isRotation ? slerp(from, to, t) : from.map((value, i) => value + t * (to[i] - value));
  }
  const [outTangent, inTangent] = [at(next - 1, 2), at(next, 0)];
  const [t2, t3] = [t * t, t * t * t];
  const value = from.map(
    (start, i) =>
      (2 * t3 - 3 * t2 + 1) * start +
      span * (t3 - 2 * t2 + t) * outTangent[i] +
      (3 * t2 - 2 * t3) * to[i] +
      span * (t3 - t2) * inTangent[i],
  );
  return isRotation ? normalizeQuaternion(value) : value;
}

/** Returns the index of the first time after another; their number if there is none. */
function firstAfter(times: Float32Array, seconds: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Animated properties that are read. */
const PATHS = ["translation", "rotation", "scale", "weights"];

/**
 * Reads the animations of a character's file, to be played with `clipPose`.
 *
 * There are none if the skeleton came from another file: no node of this one moves its joints.
 */
export function readClips(file: Pick<CharacterFile, "source" | "rig">): ClipSet {
  const { source, rig } = file;
  const nodes = source.json.nodes ?? [];
  const { parents, order } = nodeTree(source.json);
  const isOwn = rig.nodes.every((node) => node >= 0);
  const animations = isOwn ? (source.json.animations ?? []) : [];
  return {
    clips: animations
      .map((animation, i) => readClip(source, animation, i))
      .filter(({ channels }) => channels.length > 0),
    parents,
    order,
    locals: nodes.map(localMatrix),
    parts: nodes.map(partsOf),
    joints: isOwn ? rig.nodes : new Int32Array(0),
    inverses: rig.bindMatrices.map(inverseOf),
  };
}

function readClip(source: GltfSource, animation: GltfAnimation, index: number): Clip {
  const channels = readChannels(source, animation).filter(
    (channel): channel is ClipChannel => channel.path !== "weights",
  );
  const duration = channels.reduce((max, { times }) => Math.max(max, times.at(-1) ?? 0), 0);
  return { name: clipName(animation, index), duration, channels };
}

/** Returns the name of an animation; unnamed ones are numbered. */
export function clipName({ name }: GltfAnimation, index: number): string {
  return name || `animation ${index + 1}`;
}

/** Reads the channels of an animation, those of morph targets included. */
export function readChannels(source: GltfSource, animation: GltfAnimation): AnyChannel[] {
  return animation.channels.flatMap(({ sampler, target }) => {
    if (target.node === undefined || !PATHS.includes(target.path)) return [];
    const { input, output, interpolation = "LINEAR" } = animation.samplers[sampler];
    const channel = {
      node: target.node,
      path: target.path as AnyChannel["path"],
      interpolation: interpolation as AnyChannel["interpolation"],
      times: readFloats(source, input),
      values: readFloats(source, output),
    };
    return channel.times.length > 0 ? [channel] : [];
  });
}

/** Returns the components of a node's local matrix. */
export function partsOf(node: GltfNode): ClipSet["parts"][number] {
  const m = localMatrix(node);
  const size = (column: number) => Math.hypot(m[column], m[column + 1], m[column + 2]);
  return {
    translation: node.translation ?? [m[12], m[13], m[14]],
    rotation: node.rotation ?? [...quaternionFromMat4(m)],
    scale: node.scale ?? [size(0), size(4), size(8)],
  };
}
