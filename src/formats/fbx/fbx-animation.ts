import { ANIMATED_PROPERTIES, CUBIC_KEYS, reportLoss } from "../losses.ts";
import type { SceneAnimation } from "../scene/scene.ts";
import { type Curve, childOf, childrenNamed, keysOf, pushTo, valueAt } from "../scene/values.ts";
import {
  belowOf,
  type FbxDocument,
  type FbxNode,
  type FbxObject,
  numberOf,
  numbersOf,
} from "./fbx-node.ts";
import { channelWeights, type ShapeChannel } from "./fbx-skin.ts";
import { type FbxPose, localFbxMatrix, restPose, TICKS } from "./fbx-transform.ts";

const PARTS: Record<string, keyof FbxPose> = {
  "Lcl Translation": "translation",
  "Lcl Rotation": "rotation",
  "Lcl Scaling": "scale",
};

/** Bit of a key's flags for cubic interpolation. */
const CUBIC = 8;

interface Track extends Curve {
  part: keyof FbxPose;
  axis: number;
}

interface Tracks {
  models: Map<FbxObject, Track[]>;
  shapes: Map<string, Curve>;
}

/** Targets of animations: nodes by model, and the shape channels of each mesh. */
export interface FbxTargets {
  nodeOf: Map<string, number>;
  channels: Map<number, ShapeChannel[]>;
}

/**
 * Reads the animations of an FBX: each take is sampled at the keys of a model or mesh, with linear
 * interpolation. Duplicate takes are skipped.
 */
export function readFbxAnimations(document: FbxDocument, targets: FbxTargets): SceneAnimation[] {
  const { losses } = document;
  const animations: SceneAnimation[] = [];
  for (const { name, tracks } of takesOf(document)) {
    const animation = sampleTake(name, tracks, targets);
    if (animation.channels.length + (animation.shapes?.length ?? 0) === 0) {
      reportLoss(losses, "empty takes");
    } else if (animations.some((other) => moveAlike(other, animation))) {
      reportLoss(losses, "duplicate takes");
    } else animations.push(animation);
  }
  return animations;
}

/** Returns the takes of a file: stacks of layers in FBX 7, a separate list in FBX 6. */
function takesOf(document: FbxDocument): { name: string; tracks: Tracks }[] {
  const stacks = [...document.objects.values()].filter(({ kind }) => kind === "AnimationStack");
  if (stacks.length > 0) {
    return stacks.map((stack) => ({ name: stack.name, tracks: stackTracks(document, stack) }));
  }
  // FBX 7 lists its takes there as well, without their curves.
  return readSixTakes(document)
    .filter(({ curves }) => curves.length > 0)
    .map(({ name, curves }) => {
      const models = new Map<FbxObject, Track[]>();
      for (const curve of curves) {
        const model = document.objects.get(curve.id);
        if (model) pushTo(models, model, curve);
      }
      return { name, tracks: { models, shapes: new Map() } };
    });
}

function stackTracks(document: FbxDocument, stack: FbxObject): Tracks {
  const tracks: Tracks = { models: new Map(), shapes: new Map() };
  // glTF cannot blend layers: the first that moves a model wins.
  for (const layer of belowOf(document, stack, "AnimationLayer")) {
    const own = layerTracks(document, layer);
    for (const [model, list] of own.models) {
      if (tracks.models.has(model))
        reportLoss(document.losses, "animation layers beyond the first");
      else tracks.models.set(model, list);
    }
    for (const [id, curve] of own.shapes) if (!tracks.shapes.has(id)) tracks.shapes.set(id, curve);
  }
  return tracks;
}

function sampleTake(name: string, tracks: Tracks, { nodeOf, channels: shapeChannels }: FbxTargets) {
  const all = [...[...tracks.models.values()].flat(), ...tracks.shapes.values()];
  const start = all.reduce((min, { times }) => Math.min(min, times[0]), 0);
  const channels = [...tracks.models].flatMap(([model, own]) => {
    const node = nodeOf.get(model.id);
    return node === undefined || own.length === 0 ? [] : [sample(model, node, own, start)];
  });
  const shapes = [...shapeChannels].flatMap(([mesh, list]) => {
    const weights = sampleShapes(list, tracks.shapes, start);
    return weights ? [{ mesh, ...weights }] : [];
  });
  return { name, channels, shapes };
}

function layerTracks(document: FbxDocument, layer: FbxObject): Tracks {
  const tracks: Tracks = { models: new Map(), shapes: new Map() };
  for (const curveNode of belowOf(document, layer, "AnimationCurveNode")) {
    const driven = drivenBy(document, curveNode);
    const part = PARTS[driven?.property ?? ""];
    const curves = curvesOf(document, curveNode);
    if (driven?.object.type === "BlendShapeChannel" && curves.size > 0) {
      tracks.shapes.set(driven.object.id, [...curves.values()][0]);
    } else if (driven?.object.kind === "Model" && part) {
      const own = tracks.models.get(driven.object) ?? [];
      tracks.models.set(driven.object, own);
      for (const [axis, name] of ["d|X", "d|Y", "d|Z"].entries()) {
        const curve = curves.get(name);
        // A curve node may hold a constant instead of a curve.
        const constant = numberOf(curveNode.node, name, Number.NaN);
        if (curve) own.push({ part, axis, ...curve });
        else if (Number.isFinite(constant) && curves.size > 0) {
          own.push({ part, axis, times: [0], values: [constant] });
        }
      }
    } else if (curves.size > 0) {
      reportLoss(document.losses, ANIMATED_PROPERTIES);
    }
  }
  return tracks;
}

function drivenBy(document: FbxDocument, curveNode: FbxObject) {
  for (const object of document.above.get(curveNode.id) ?? []) {
    if (object.kind === "AnimationLayer") continue;
    const link = (document.below.get(object.id) ?? []).find((each) => each.object === curveNode);
    return { object, property: link?.property ?? "" };
  }
  return undefined;
}

function curvesOf(document: FbxDocument, curveNode: FbxObject): Map<string, Curve> {
  const curves = new Map<string, Curve>();
  for (const { object, property } of document.below.get(curveNode.id) ?? []) {
    if (object.kind !== "AnimationCurve") continue;
    const times = numbersOf(object.node, "KeyTime");
    const values = numbersOf(object.node, "KeyValueFloat");
    if (times.length === 0 || values.length < times.length) continue;
    const flags = Array.from(numbersOf(object.node, "KeyAttrFlags"));
    if (times.length > 1 && flags.some((flag) => flag & CUBIC)) {
      reportLoss(document.losses, CUBIC_KEYS);
    }
    curves.set(property, { times, values });
  }
  return curves;
}

function sample(model: FbxObject, node: number, tracks: Track[], start: number) {
  const ticks = keysOf(tracks);
  const matrices = ticks.map((tick) => {
    const pose = restPose(model.node);
    for (const track of tracks) pose[track.part][track.axis] = valueAt(track, tick);
    return localFbxMatrix(model.node, pose);
  });
  return { node, times: risingSeconds(ticks, start), matrices };
}

/** Samples the weights of shape channels over time; undefined if none of them is animated. */
function sampleShapes(channels: ShapeChannel[], curves: Map<string, Curve>, start: number) {
  const own = channels.flatMap(({ id }) => curves.get(id) ?? []);
  if (own.length === 0) return undefined;
  const ticks = keysOf(own);
  const weights = ticks.map((tick) =>
    channels.flatMap((channel) => {
      const curve = curves.get(channel.id);
      const percent = curve ? valueAt(curve, tick) : channel.percent;
      return channelWeights(channel, percent);
    }),
  );
  return { times: risingSeconds(ticks, start), weights };
}

/** Seconds from the start; float32 rounding must not make two keys equal. */
function risingSeconds(ticks: number[], start: number): Float32Array {
  const times = Float32Array.from(ticks, (tick) => (tick - start) / TICKS);
  for (let i = 1; i < times.length; i++) {
    if (times[i] <= times[i - 1]) times[i] = times[i - 1] + Math.max(times[i - 1] * 2 ** -22, 1e-6);
  }
  return times;
}

function moveAlike(a: SceneAnimation, b: SceneAnimation): boolean {
  const [rowsA, rowsB] = [rowsOf(a), rowsOf(b)];
  return (
    rowsA.length === rowsB.length &&
    rowsA.every((row, i) => {
      const other = rowsB[i];
      return row.length === other.length && Array.from(row).every((value, j) => value === other[j]);
    })
  );
}

function rowsOf({ channels, shapes = [] }: SceneAnimation): ArrayLike<number>[] {
  return [
    [channels.length, shapes.length],
    ...channels.flatMap(({ node, times, matrices }) => [[node], times, ...matrices]),
    ...shapes.flatMap(({ mesh, times, weights }) => [[mesh], times, ...weights]),
  ];
}

/** One curve of an FBX 6 take, and its target. */
export interface SixCurve extends Curve {
  /** Model id. */
  id: string;
  part: keyof FbxPose;
  axis: number;
}

const SIX_PARTS = [
  ["T", "translation"],
  ["R", "rotation"],
  ["S", "scale"],
] as const;

/** Reads the takes of an FBX 6 file, which are stored apart from its objects. */
function readSixTakes({ root }: FbxDocument): { name: string; curves: SixCurve[] }[] {
  return childrenNamed(childOf(root, "Takes"), "Take").map((take) => ({
    name: String(take.values[0] ?? "take"),
    curves: childrenNamed(take, "Model").flatMap(modelCurves),
  }));
}

function modelCurves(model: FbxNode): SixCurve[] {
  const id = String(model.values[0]);
  const transform = channelOf(model, "Transform");
  return SIX_PARTS.flatMap(([label, part]) =>
    ["X", "Y", "Z"].flatMap((axis, index) => {
      const curve = channelOf(channelOf(transform, label), axis);
      const keys = curve && sixKeys(curve);
      return keys && keys.times.length > 0 ? [{ id, part, axis: index, ...keys }] : [];
    }),
  );
}

function channelOf(node: FbxNode | undefined, name: string): FbxNode | undefined {
  return childrenNamed(node, "Channel").find(({ values }) => values[0] === name);
}

/** Keys are a time, a value, a letter for the interpolation, and the parameters of that letter. */
function sixKeys(curve: FbxNode): { times: number[]; values: number[] } {
  const list = childOf(curve, "Key")?.values ?? [];
  const [count = 0] = Array.from(numbersOf(curve, "KeyCount"));
  const arePlain = list.length === count * 3;
  const [times, values]: number[][] = [[], []];
  for (let at = 0; at + 2 < list.length; ) {
    const [time, value, letter] = list.slice(at, at + 3);
    const isKey =
      typeof time === "number" &&
      typeof value === "number" &&
      (arePlain || (typeof letter === "string" && /^[A-Z]$/.test(letter)));
    if (isKey && !(times.length > 0 && time <= times[times.length - 1])) {
      times.push(time);
      values.push(value);
    }
    at += isKey ? 3 : 1;
  }
  if (times.length > 0) return { times, values };
  const [still] = Array.from(numbersOf(curve, "Default"));
  return Number.isFinite(still) ? { times: [0], values: [still] } : { times, values };
}
