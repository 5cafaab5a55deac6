import { type Quaternion, quaternionFromMat4 } from "../../math/quaternion.ts";
import { type AnyChannel, clipName, readChannels, sampleChannel } from "../gltf/clips.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import { pushTo } from "../scene/values.ts";
import { eulerMatrix, type FbxPose, TICKS } from "./fbx-transform.ts";
import { eulerOfQuaternion, numbers, properties, property } from "./new-fbx.ts";
import { type RawFbxNode, rawNode } from "./raw-fbx.ts";
import { addObject, connect, type FbxEditor } from "./raw-objects.ts";

/** The objects that animations move. */
export interface NewTargets {
  /** By glTF node: its model, and its pose at rest; nodes without one stay still. */
  models: Map<number, bigint>;
  poses: Map<number, FbxPose>;
  /** By glTF node: the channels of its blend shapes, for each mesh that it shows. */
  shapes: Map<number, bigint[][]>;
  /** Units of the file per unit of the glTF. */
  scale: number;
}

/** Keys of a curve node: a row of values per time. */
interface Keys {
  times: number[];
  rows: number[][];
}

/** Curve nodes of a model, and the error of linear curves: in units of the glTF, and in degrees. */
const CURVES = [
  ["translation", { label: "T", property: "Lcl Translation", error: 1e-5 }],
  ["rotation", { label: "R", property: "Lcl Rotation", error: 0.02 }],
  ["scale", { label: "S", property: "Lcl Scaling", error: 1e-5 }],
] as const;

/** Errors of morph targets, in percent. */
const SHAPE_ERROR = 0.01;

/** Keys are added between two of the file's until linear curves are within the error; at most 2^6. */
const MAX_DEPTH = 6;

/** A step is written as two keys this far apart, in seconds; FBX readers rarely know other steps. */
const STEP = 1e-3;

/** Adds the animations of a glTF as takes, with linear keys. */
export function addTakes(editor: FbxEditor, source: GltfSource, targets: NewTargets): void {
  for (const [index, animation] of (source.json.animations ?? []).entries()) {
    const channels = readChannels(source, animation).filter(({ node, path }) =>
      path === "weights" ? targets.shapes.has(node) : targets.models.has(node),
    );
    if (channels.length === 0) continue;
    const end = channels.reduce((max, { times }) => Math.max(max, times[times.length - 1]), 0);
    const layer = addStack(editor, clipName(animation, index), end);
    const moved = new Map<number, AnyChannel[]>();
    for (const channel of channels) {
      if (channel.path === "weights") addShapeCurves(editor, layer, channel, targets);
      else pushTo(moved, channel.node, channel);
    }
    for (const [node, own] of moved) {
      addModelCurves(editor, layer, node, own, targets);
    }
  }
}

function addStack(editor: FbxEditor, name: string, end: number): bigint {
  const span = (label: string, value: bigint) => property([label, "KTime", "Time"], value);
  const stop = ticksOf(end);
  const stack = addObject(
    editor,
    "AnimationStack",
    [name, "AnimStack", ""],
    properties(
      span("LocalStart", 0n),
      span("LocalStop", stop),
      span("ReferenceStart", 0n),
      span("ReferenceStop", stop),
    ),
  );
  const layer = addObject(editor, "AnimationLayer", ["BaseLayer", "AnimLayer", ""], properties());
  connect(editor, layer, stack);
  return layer;
}

/** Adds curves of translation, rotation and scale: Blender takes what is not keyed from the take before. */
function addModelCurves(
  editor: FbxEditor,
  layer: bigint,
  node: number,
  channels: AnyChannel[],
  { models, poses, scale }: NewTargets,
): void {
  for (const [path, { label, property: driven, error }] of CURVES) {
    const channel = channels.find((each) => each.path === path);
    const unit = path === "translation" ? scale : 1;
    const convert = (value: number[]) => value.map((each) => each * unit);
    const still = { times: [channels[0].times[0]], rows: [poses.get(node)![path]] };
    const keys = !channel
      ? still
      : path === "rotation"
        ? rotationKeys(channel, error)
        : channelKeys(channel, convert, error * unit);
    const curves = addCurveNode(editor, layer, label, ["X", "Y", "Z"], keys.rows[0]);
    connect(editor, curves, models.get(node)!, driven);
    ["d|X", "d|Y", "d|Z"].forEach((axis, column) => {
      addCurve(editor, curves, axis, keys, column);
    });
  }
}

function addShapeCurves(
  editor: FbxEditor,
  layer: bigint,
  channel: AnyChannel,
  { shapes }: NewTargets,
): void {
  const keys = channelKeys(channel, (value) => value.map((each) => each * 100), SHAPE_ERROR);
  for (const channels of shapes.get(channel.node) ?? []) {
    channels.forEach((shape, column) => {
      if (column >= keys.rows[0].length) return;
      const first = [keys.rows[0][column]];
      const node = addCurveNode(editor, layer, "DeformPercent", ["DeformPercent"], first);
      connect(editor, node, shape, "DeformPercent");
      addCurve(editor, node, "d|DeformPercent", keys, column);
    });
  }
}

function addCurveNode(
  editor: FbxEditor,
  layer: bigint,
  name: string,
  axes: string[],
  values: number[],
): bigint {
  const rest = axes.map((axis, i) => numbers(`d|${axis}`, ["Number", "", "A"], values[i]));
  const node = addObject(
    editor,
    "AnimationCurveNode",
    [name, "AnimCurveNode", ""],
    properties(...rest),
  );
  connect(editor, node, layer);
  return node;
}

/** Interpolation of a key: linear. */
const LINEAR = 4;

function addCurve(
  editor: FbxEditor,
  node: bigint,
  axis: string,
  { times, rows }: Keys,
  column: number,
): void {
  const values = rows.map((row) => row[column]);
  const curve = addObject(
    editor,
    "AnimationCurve",
    ["", "AnimCurve", ""],
    rawNode("Default", [{ double: values[0] }]),
    rawNode("KeyVer", [{ int: 4008 }]),
    rawNode("KeyTime", [BigInt64Array.from(times, ticksOf)]),
    rawNode("KeyValueFloat", [Float32Array.from(values)]),
    ...keyAttributes(times.length),
  );
  connect(editor, curve, node, axis);
}

function keyAttributes(count: number): RawFbxNode[] {
  return [
    rawNode("KeyAttrFlags", [Int32Array.of(LINEAR)]),
    rawNode("KeyAttrDataFloat", [new Float32Array(4)]),
    rawNode("KeyAttrRefCount", [Int32Array.of(count)]),
  ];
}

function ticksOf(seconds: number): bigint {
  return BigInt(Math.round(seconds * TICKS));
}

/** Samples a channel at its keys, and between them where a line would be off by more than `error`. */
function channelKeys(
  channel: AnyChannel,
  convert: (value: number[]) => number[],
  error: number,
): Keys {
  const at = (seconds: number) => convert(sampleChannel(channel, seconds));
  const isNear = (line: number[], value: number[]) =>
    value.every((each, i) => Math.abs(each - line[i]) <= error);
  return sampleKeys(channel, at, isNear);
}

/** Samples rotations as angles about x, y and z that change continuously. */
function rotationKeys(channel: AnyChannel, error: number): Keys {
  const at = (seconds: number, before?: number[]) =>
    nearestAngles(eulerOfQuaternion(sampleChannel(channel, seconds)), before);
  const isNear = (line: number[], value: number[]) =>
    angleBetween(quaternionOf(line), quaternionOf(value)) <= error;
  return sampleKeys(channel, at, isNear);
}

function sampleKeys(
  { times, interpolation }: AnyChannel,
  at: (seconds: number, before?: number[]) => number[],
  isNear: (line: number[], value: number[]) => boolean,
): Keys {
  const keys: Keys = { times: [times[0]], rows: [at(times[0])] };
  const push = (time: number, row: number[]) => {
    keys.times.push(time);
    keys.rows.push(row);
  };
  const between = (from: number, to: number, depth: number): void => {
    const before = keys.rows[keys.rows.length - 1];
    const middle = (from + to) / 2;
    const after = at(to, before);
    // An ease-in-out meets the line in the middle, so that one sample is not enough.
    const isStraight = [0.25, 0.5, 0.75].every((t) => {
      const line = before.map((value, i) => value + t * (after[i] - value));
      return isNear(line, at(from + t * (to - from), before));
    });
    if (depth < MAX_DEPTH && !isStraight) {
      between(from, middle, depth + 1);
      between(middle, to, depth + 1);
    } else push(to, after);
  };
  for (let i = 1; i < times.length; i++) {
    const [from, to] = [times[i - 1], times[i]];
    if (!(to > from)) continue;
    if (interpolation === "STEP") {
      const last = keys.rows[keys.rows.length - 1];
      push(to - Math.min(STEP, (to - from) / 2), last);
      push(to, at(to, last));
    } else between(from, to, 0);
  }
  return keys;
}

/** Returns the angles of the same rotation that are nearest to others. */
function nearestAngles(angles: number[], before: number[] | undefined): number[] {
  if (!before) return angles;
  const [x, y, z] = angles;
  const candidates = [angles, [x + 180, 180 - y, z + 180]].map((each) =>
    each.map((angle, i) => angle + 360 * Math.round((before[i] - angle) / 360)),
  );
  const distance = (each: number[]) =>
    each.reduce((sum, angle, i) => sum + (angle - before[i]) ** 2, 0);
  return distance(candidates[1]) < distance(candidates[0]) ? candidates[1] : candidates[0];
}

function quaternionOf(angles: number[]): Quaternion {
  return quaternionFromMat4(eulerMatrix(angles));
}

/** Degrees between two rotations. */
function angleBetween(a: Quaternion, b: Quaternion): number {
  const dot = Math.abs(a.reduce((sum, value, i) => sum + value * b[i], 0));
  return (2 * Math.acos(Math.min(dot, 1)) * 180) / Math.PI;
}
