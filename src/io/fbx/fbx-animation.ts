import type { SceneAnimation } from "../scene.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { numberOf, numbersOf } from "./fbx-node.ts";
import { type FbxPose, localFbxMatrix, restPose } from "./fbx-transform.ts";

/** Units of FBX time in a second. */
const TICKS = 46186158000;

const PARTS: Record<string, keyof FbxPose> = {
  "Lcl Translation": "translation",
  "Lcl Rotation": "rotation",
  "Lcl Scaling": "scale",
};

interface Track {
  part: keyof FbxPose;
  axis: number;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/**
 * The animations of an FBX 7 file: each stack sampled where any curve of a model has a key,
 * straight between keys.
 */
export function readFbxAnimations(
  document: FbxDocument,
  nodeOf: Map<string, number>,
): SceneAnimation[] {
  const animations: SceneAnimation[] = [];
  for (const stack of document.objects.values()) {
    if (stack.kind !== "AnimationStack") continue;
    const tracks = new Map<FbxObject, Track[]>();
    // Layers blend in ways glTF has no word for: the first that moves a model decides.
    for (const layer of belowOf(document, stack, "AnimationLayer")) {
      for (const [model, own] of layerTracks(document, layer)) {
        if (!tracks.has(model)) tracks.set(model, own);
      }
    }
    const channels = [...tracks].flatMap(([model, own]) => {
      const node = nodeOf.get(model.id);
      return node === undefined ? [] : [sample(model, node, own)];
    });
    if (channels.length > 0) animations.push({ name: stack.name, channels });
  }
  return animations;
}

function layerTracks(document: FbxDocument, layer: FbxObject): Map<FbxObject, Track[]> {
  const tracks = new Map<FbxObject, Track[]>();
  for (const curveNode of belowOf(document, layer, "AnimationCurveNode")) {
    const model = (document.above.get(curveNode.id) ?? []).find(
      (object) => object.kind === "Model",
    );
    const driven = (document.below.get(model?.id ?? "") ?? []).find(
      (entry) => entry.object === curveNode,
    );
    const part = PARTS[driven?.property ?? ""];
    if (!model || !part) continue;
    const own = tracks.get(model) ?? [];
    tracks.set(model, own);
    for (const { object: curve, property } of document.below.get(curveNode.id) ?? []) {
      const axis = ["d|X", "d|Y", "d|Z"].indexOf(property);
      if (curve.kind !== "AnimationCurve" || axis < 0) continue;
      const times = numbersOf(curve.node, "KeyTime");
      const values = numbersOf(curve.node, "KeyValueFloat");
      if (times.length > 0 && values.length >= times.length)
        own.push({ part, axis, times, values });
    }
    for (const [axis, name] of ["d|X", "d|Y", "d|Z"].entries()) {
      // A curve node may hold a constant in place of a curve.
      const constant = numberOf(curveNode.node, name, Number.NaN);
      if (Number.isFinite(constant) && !own.some((t) => t.part === part && t.axis === axis)) {
        own.push({ part, axis, times: [0], values: [constant] });
      }
    }
  }
  return tracks;
}

function sample(model: FbxObject, node: number, tracks: Track[]) {
  const ticks = [...new Set(tracks.flatMap((track) => Array.from(track.times)))].sort(
    (a, b) => a - b,
  );
  const matrices = ticks.map((tick) => {
    const pose = restPose(model.node);
    for (const { part, axis, times, values } of tracks)
      pose[part][axis] = valueAt(times, values, tick);
    return localFbxMatrix(model.node, pose);
  });
  return { node, times: risingSeconds(ticks), matrices };
}

/** Seconds from the first key; float32 must not make two keys equal. */
function risingSeconds(ticks: number[]): Float32Array {
  const start = Math.min(ticks[0] ?? 0, 0);
  const times = Float32Array.from(ticks, (tick) => (tick - start) / TICKS);
  for (let i = 1; i < times.length; i++) {
    if (times[i] <= times[i - 1]) times[i] = times[i - 1] + Math.max(times[i - 1] * 2 ** -22, 1e-6);
  }
  return times;
}

function valueAt(times: ArrayLike<number>, values: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = times.length - 1;
  if (at <= times[low]) return values[low];
  if (at >= times[high]) return values[high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle;
    else high = middle;
  }
  const share = (at - times[low]) / (times[high] - times[low] || 1);
  return values[low] + share * (values[high] - values[low]);
}
