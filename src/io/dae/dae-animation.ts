import { type Losses, lose } from "../losses.ts";
import { pushTo } from "../push-to.ts";
import type { SceneAnimation, SceneMesh } from "../scene.ts";
import { type DaeDocument, inputsOf, readSource, refer } from "./dae-document.ts";
import { type DaeStep, daeMatrix } from "./dae-transform.ts";
import { type XmlElement, xmlDescendants } from "./parse-xml.ts";

interface Track {
  step: number;
  /** First number of the step it drives, and how many. */
  first: number;
  count: number;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** Where a node of the file is in the scene, and what its transform is made of. */
export interface DaeNode {
  node: number;
  steps: DaeStep[];
}

/** All channels of a COLLADA file as one animation, sampled where a curve of the node or mesh has a key. */
export function readDaeAnimation(
  document: DaeDocument,
  nodes: Map<string, DaeNode>,
  morphs: Map<string, number[]>,
  meshes: SceneMesh[],
  lost: Losses,
): SceneAnimation | undefined {
  const tracks = new Map<DaeNode, Track[]>();
  const shapes = new Map<number, ShapeTrack[]>();
  for (const channel of xmlDescendants(document.root, "channel")) {
    const { target: path = "" } = channel.attributes;
    const target = nodes.get(path.split("/")[0]);
    const track = target && readTrack(document, channel, target.steps);
    const shape = target ? undefined : readShapeTrack(document, channel);
    const driven = shape && morphs.get(shape.id);
    if (track) pushTo(tracks, target, track);
    else if (shape && driven) for (const mesh of driven) pushTo(shapes, mesh, shape);
    else lose(lost, "animated properties other than place, turn, size and shape");
  }
  const channels = [...tracks].map(([target, own]) => sample(target, own));
  const weights = [...shapes].map(([mesh, own]) => sampleShapes(mesh, meshes[mesh], own));
  if (channels.length + weights.length === 0) return undefined;
  return { name: "animation", channels, shapes: weights };
}

/** How far one shape of a morph is applied over time. */
interface ShapeTrack {
  /** Of the source of the morph's weights. */
  id: string;
  shape: number;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** A target such as `body-morph-weights(2)`, or with the controller before it. */
function readShapeTrack(document: DaeDocument, channel: XmlElement): ShapeTrack | undefined {
  const path = /^(?:.*\/)?([^/()]+)\((\d+)\)$/.exec(channel.attributes.target ?? "");
  if (!path) return undefined;
  const { times, values } = curveOf(document, channel);
  const isWhole = times.length > 0 && values.length >= times.length;
  return isWhole ? { id: path[1], shape: Number(path[2]), times, values } : undefined;
}

function curveOf(document: DaeDocument, channel: XmlElement) {
  const inputs = inputsOf(refer(document, channel.attributes.source));
  const times = readSource(document, inputs.get("INPUT")?.source).values;
  return { times, values: readSource(document, inputs.get("OUTPUT")?.source).values };
}

function sampleShapes(mesh: number, { shapes = [] }: SceneMesh, tracks: ShapeTrack[]) {
  const times = keysOf(tracks);
  const weights = Array.from(times, (time) => {
    const row = shapes.map(({ weight = 0 }) => weight);
    for (const { shape, times: keys, values } of tracks) {
      const { low, share } = keyBefore(keys, time);
      const high = Math.min(low + 1, keys.length - 1);
      if (shape < row.length) row[shape] = values[low] + share * (values[high] - values[low]);
    }
    return row;
  });
  return { mesh, times, weights };
}

function keysOf(tracks: { times: ArrayLike<number> }[]): Float32Array {
  const all = Float32Array.from(tracks.flatMap((track) => Array.from(track.times)));
  return Float32Array.from([...new Set(all)].filter((t) => t >= 0).sort((a, b) => a - b));
}

function readTrack(
  document: DaeDocument,
  channel: XmlElement,
  steps: DaeStep[],
): Track | undefined {
  const path = /\/([^.(]*)(?:\.(\w+))?((?:\(\d+\))*)$/.exec(channel.attributes.target);
  const step = steps.findIndex((candidate) => candidate.sid === path?.[1]);
  if (!path || step < 0) return undefined;
  const { times, values } = curveOf(document, channel);
  const { first, count } = place(path[2], path[3], steps[step]);
  if (times.length === 0 || values.length < times.length * count || first < 0) return undefined;
  return { step, first, count, times, values };
}

/** Which numbers of a step a target such as `rotateX.ANGLE` or `transform(0)(3)` means. */
function place(member: string | undefined, indices: string, { kind, numbers }: DaeStep) {
  const at = (indices.match(/\d+/g) ?? []).map(Number);
  if (at.length === 2) return { first: at[0] * 4 + at[1], count: 1 };
  if (at.length === 1) return { first: at[0], count: 1 };
  if (member === "ANGLE" && kind === "rotate") return { first: 3, count: 1 };
  if (member) return { first: ["X", "Y", "Z"].indexOf(member), count: 1 };
  return { first: 0, count: numbers.length };
}

function sample({ node, steps }: DaeNode, tracks: Track[]) {
  const times = keysOf(tracks);
  const matrices = Array.from(times, (time) => {
    const moved = steps.map((step) => ({ ...step, numbers: step.numbers.slice() }));
    for (const { step, first, count, times: keys, values } of tracks) {
      const { low, share } = keyBefore(keys, time);
      const high = Math.min(low + 1, keys.length - 1);
      for (let c = 0; c < count; c++) {
        const from = values[low * count + c];
        moved[step].numbers[first + c] = from + share * (values[high * count + c] - from);
      }
    }
    return daeMatrix(moved);
  });
  return { node, times, matrices };
}

function keyBefore(keys: ArrayLike<number>, time: number): { low: number; share: number } {
  let low = 0;
  let high = keys.length - 1;
  if (time <= keys[low]) return { low, share: 0 };
  if (time >= keys[high]) return { low: high, share: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (keys[middle] <= time) low = middle;
    else high = middle;
  }
  return { low, share: (time - keys[low]) / (keys[high] - keys[low] || 1) };
}
