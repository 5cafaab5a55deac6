import type { SceneAnimation } from "../scene.ts";
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

/** All channels of a COLLADA file as one animation, sampled where a curve of the node has a key. */
export function readDaeAnimation(
  document: DaeDocument,
  nodes: Map<string, DaeNode>,
): SceneAnimation | undefined {
  const tracks = new Map<DaeNode, Track[]>();
  for (const channel of xmlDescendants(document.root, "channel")) {
    const target = nodes.get(channel.attributes.target?.split("/")[0] ?? "");
    const track = target && readTrack(document, channel, target.steps);
    if (track) tracks.set(target, [...(tracks.get(target) ?? []), track]);
  }
  const channels = [...tracks].map(([target, own]) => sample(target, own));
  return channels.length > 0 ? { name: "animation", channels } : undefined;
}

function readTrack(
  document: DaeDocument,
  channel: XmlElement,
  steps: DaeStep[],
): Track | undefined {
  const path = /\/([^.(]*)(?:\.(\w+))?((?:\(\d+\))*)$/.exec(channel.attributes.target);
  const step = steps.findIndex((candidate) => candidate.sid === path?.[1]);
  if (!path || step < 0) return undefined;
  const inputs = inputsOf(refer(document, channel.attributes.source));
  const times = readSource(document, inputs.get("INPUT")?.source).values;
  const values = readSource(document, inputs.get("OUTPUT")?.source).values;
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
  const all = new Set(tracks.flatMap((track) => Array.from(track.times)));
  const times = Float32Array.from(
    [...new Set(Float32Array.from(all))].filter((t) => t >= 0).sort((a, b) => a - b),
  );
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
