import { quaternionFromMat4 } from "../../math/quaternion.ts";
import type { CharacterFile } from "../character-file.ts";
import { inverseOf } from "../matrices.ts";
import type { Clip, ClipChannel, ClipSet } from "./clip-pose.ts";
import type { GltfAnimation, GltfNode } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { localMatrix, nodeTree } from "./node-tree.ts";
import { readFloats } from "./read-accessor.ts";

/** The properties of a node that move joints; the weights of morph targets do not. */
const PATHS = ["translation", "rotation", "scale"];

/**
 * The animations of a character's file, to be played with `clipPose`.
 *
 * Without clips where the skeleton came from another file: no node of this one moves its joints.
 */
export function readClips(file: CharacterFile): ClipSet {
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
  const channels: ClipChannel[] = [];
  for (const { sampler, target } of animation.channels) {
    if (target.node === undefined || !PATHS.includes(target.path)) continue;
    const { input, output, interpolation = "LINEAR" } = animation.samplers[sampler];
    channels.push({
      node: target.node,
      path: target.path as ClipChannel["path"],
      interpolation: interpolation as ClipChannel["interpolation"],
      times: readFloats(source, input),
      values: readFloats(source, output),
    });
  }
  const duration = channels.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), 0);
  return { name: animation.name || `animation ${index + 1}`, duration, channels };
}

function partsOf(node: GltfNode): ClipSet["parts"][number] {
  const m = localMatrix(node);
  const size = (column: number) => Math.hypot(m[column], m[column + 1], m[column + 2]);
  return {
    translation: node.translation ?? [m[12], m[13], m[14]],
    rotation: node.rotation ?? [...quaternionFromMat4(m)],
    scale: node.scale ?? [size(0), size(4), size(8)],
  };
}
