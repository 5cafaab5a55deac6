import { ANIMATED_PROPERTIES, reportLoss } from "../losses.ts";
import type { SceneAnimation, SceneMesh } from "../scene/scene.ts";
import { type Curve, keysOf, pushTo, valueAt } from "../scene/values.ts";
import {
  type DaeDocument,
  type DaeStep,
  daeMatrix,
  inputsOf,
  readSource,
  refer,
} from "./dae-document.ts";
import { type XmlElement, xmlDescendants } from "./xml.ts";

interface Track extends Curve {
  step: number;
  /** First number of the step it drives, and how many. */
  first: number;
  count: number;
}

/** Scene node of a COLLADA node, and the steps of its transform. */
export interface DaeNode {
  node: number;
  steps: DaeStep[];
}

/** Reads all channels of a COLLADA file as one animation, sampled at the keys of each node or mesh. */
export function readDaeAnimation(
  document: DaeDocument,
  nodes: Map<string, DaeNode>,
  morphs: Map<string, number[]>,
  meshes: SceneMesh[],
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
    else reportLoss(document.losses, ANIMATED_PROPERTIES);
  }
  const channels = [...tracks].map(([target, own]) => sample(target, own));
  const weights = [...shapes].map(([mesh, own]) => sampleShapes(mesh, meshes[mesh], own));
  if (channels.length + weights.length === 0) return undefined;
  return { name: "animation", channels, shapes: weights };
}

/** The weight of one morph target over time. */
interface ShapeTrack extends Curve {
  /** Id of the source of the morph's weights. */
  id: string;
  shape: number;
}

/** Parses a target such as `body-morph-weights(2)`, with or without the controller before it. */
function readShapeTrack(document: DaeDocument, channel: XmlElement): ShapeTrack | undefined {
  const path = /^(?:.*\/)?([^/()]+)\((\d+)\)$/.exec(channel.attributes.target ?? "");
  if (!path) return undefined;
  const { times, values } = curveOf(document, channel);
  const isComplete = times.length > 0 && values.length >= times.length;
  return isComplete ? { id: path[1], shape: Number(path[2]), times, values } : undefined;
}

function curveOf(document: DaeDocument, channel: XmlElement): Curve {
  const inputs = inputsOf(refer(document, channel.attributes.source));
  const times = readSource(document, inputs.get("INPUT")?.source).values;
  return { times, values: readSource(document, inputs.get("OUTPUT")?.source).values };
}

function sampleShapes(mesh: number, { shapes = [] }: SceneMesh, tracks: ShapeTrack[]) {
  const times = keyTimes(tracks);
  const weights = Array.from(times, (time) => {
    const row = shapes.map(({ weight = 0 }) => weight);
    for (const track of tracks) {
      if (track.shape < row.length) row[track.shape] = valueAt(track, time);
    }
    return row;
  });
  return { mesh, times, weights };
}

function keyTimes(tracks: Curve[]): Float32Array {
  return Float32Array.from([...new Set(keysOf(tracks).map(Math.fround))].filter((t) => t >= 0));
}

function readTrack(document: DaeDocument, channel: XmlElement, steps: DaeStep[]) {
  const path = /\/([^.(]*)(?:\.(\w+))?((?:\(\d+\))*)$/.exec(channel.attributes.target);
  const step = steps.findIndex((candidate) => candidate.sid === path?.[1]);
  if (!path || step < 0) return undefined;
  const { times, values } = curveOf(document, channel);
  const { first, count } = drivenNumbers(path[2], path[3], steps[step]);
  if (times.length === 0 || values.length < times.length * count || first < 0) return undefined;
  return { step, first, count, times, values };
}

/** The numbers of a step that a target such as `rotateX.ANGLE` or `transform(0)(3)` drives. */
function drivenNumbers(member: string | undefined, indices: string, { kind, numbers }: DaeStep) {
  const at = (indices.match(/\d+/g) ?? []).map(Number);
  if (at.length === 2) return { first: at[0] * 4 + at[1], count: 1 };
  if (at.length === 1) return { first: at[0], count: 1 };
  if (member === "ANGLE" && kind === "rotate") return { first: 3, count: 1 };
  if (member) return { first: ["X", "Y", "Z"].indexOf(member), count: 1 };
  return { first: 0, count: numbers.length };
}

function sample({ node, steps }: DaeNode, tracks: Track[]) {
  const times = keyTimes(tracks);
  const matrices = Array.from(times, (time) => {
    const moved = steps.map((step) => ({ ...step, numbers: step.numbers.slice() }));
    for (const track of tracks) {
      const { step, first, count } = track;
      for (let c = 0; c < count; c++) {
        moved[step].numbers[first + c] = valueAt(track, time, count, c);
      }
    }
    return daeMatrix(moved);
  });
  return { node, times, matrices };
}
