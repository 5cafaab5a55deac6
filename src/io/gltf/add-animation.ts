import type { SceneAnimation } from "../scene.ts";
import { decomposeNode } from "./decompose-node.ts";
import { addAccessor, type GltfDraft } from "./gltf-draft.ts";
import { addEntry, type GltfAnimation } from "./gltf-json.ts";

const PATHS = [
  ["translation", "VEC3", [0, 0, 0]],
  ["rotation", "VEC4", [0, 0, 0, 1]],
  ["scale", "VEC3", [1, 1, 1]],
] as const;

/**
 * Adds an animation of nodes and shapes; nothing where it moves nothing.
 *
 * @param shownBy by mesh: the nodes that show it
 */
export function addAnimation(
  draft: GltfDraft,
  { name, channels, shapes = [] }: SceneAnimation,
  shownBy: number[][],
): void {
  const built: GltfAnimation = { name, channels: [], samplers: [] };
  const add = (node: number, path: string, input: number, output: number) => {
    built.samplers.push({ input, output, interpolation: "LINEAR" });
    built.channels.push({ sampler: built.samplers.length - 1, target: { node, path } });
  };
  const timesOf = (times: Float32Array) =>
    addAccessor(draft, { data: times, type: "SCALAR", bounds: true });
  for (const { node, times, matrices } of channels) {
    if (times.length === 0) continue;
    const input = timesOf(times);
    const frames = matrices.map(decomposeNode);
    for (const [path, type, still] of PATHS) {
      const values = frames.map((frame) => (frame[path] ?? still) as readonly number[]);
      if (path === "rotation") keepShortWay(values as number[][]);
      add(node, path, input, addAccessor(draft, { data: Float32Array.from(values.flat()), type }));
    }
  }
  for (const { mesh, times, weights } of shapes) {
    if (times.length === 0 || shownBy[mesh].length === 0) continue;
    const data = Float32Array.from(weights.flat());
    const [input, output] = [timesOf(times), addAccessor(draft, { data, type: "SCALAR" })];
    for (const node of shownBy[mesh]) add(node, "weights", input, output);
  }
  if (built.channels.length > 0) addEntry(draft.json, "animations", built);
}

/** Turns the sign of quaternions so that neighbours blend the short way. */
function keepShortWay(values: number[][]): void {
  for (let i = 1; i < values.length; i++) {
    const dot = values[i].reduce((sum, value, c) => sum + value * values[i - 1][c], 0);
    if (dot < 0) values[i] = values[i].map((value) => -value);
  }
}
