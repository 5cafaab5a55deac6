import { Color, SRGBColorSpace } from "three";
import type { SkinWeights } from "../../../src/index.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { State } from "../store.ts";

type Ramp = [at: number, red: number, green: number, blue: number][];

/** From no weight to full weight. */
export const HEAT: Ramp = [
  [0, 0x8d, 0x95, 0xa6],
  [0.02, 0x2f, 0x4f, 0xc4],
  [0.3, 0x1f, 0xa8, 0xc9],
  [0.55, 0x4d, 0xc4, 0x5b],
  [0.78, 0xf7, 0xc9, 0x2b],
  [1, 0xe0, 0x2b, 0x1d],
];

/** From the bone to the farthest vertex. */
export const DISTANCE: Ramp = [
  [0, 0xfd, 0xe7, 0x25],
  [0.25, 0x5e, 0xc9, 0x62],
  [0.5, 0x21, 0x91, 0x8c],
  [0.75, 0x3b, 0x52, 0x8b],
  [1, 0x44, 0x01, 0x54],
];

/** From agreement to a vertex that follows other bones. */
export const ERROR: Ramp = [
  [0, 0x9a, 0xa3, 0xb0],
  [0.15, 0xf2, 0xd5, 0x8a],
  [0.5, 0xee, 0x7c, 0x3a],
  [1, 0xc2, 0x10, 0x2f],
];

const CLAY: Ramp = [[0, 0xa9, 0xb0, 0xbd]];

/** Color of a value on a ramp, 0 to 255, sRGB. */
export function rampColor(ramp: Ramp, value: number): [number, number, number] {
  const next = ramp.findIndex(([at]) => at >= value);
  if (next === 0 || ramp.length === 1) return [ramp[0][1], ramp[0][2], ramp[0][3]];
  const [, ...last] = ramp[ramp.length - 1];
  if (next < 0) return last;
  const [low, high] = [ramp[next - 1], ramp[next]];
  const t = (value - low[0]) / (high[0] - low[0]);
  return [1, 2, 3].map((i) => low[i] + t * (high[i] - low[i])) as [number, number, number];
}

/** A color per joint; consecutive joints differ strongly in hue. */
export function jointColor(joint: number): Color {
  const hue = (joint * 0.618034) % 1;
  const lightness = 0.5 + 0.12 * ((joint % 3) - 1);
  return new Color().setHSL(hue, 0.62, lightness, SRGBColorSpace);
}

/** P×3, linear colors of one set of weights. */
export function bodyColors(state: State, { weights, id }: KeptBind): Float32Array {
  const colors = lookColors(state, weights, id);
  const { solo, shining } = state;
  if (shining !== undefined && shining !== state.joint && solo === undefined) {
    shine(colors, weights, shining);
  }
  if (solo === undefined) return colors;
  weightsOf(weights, solo).forEach((weight, v) => {
    if (weight < SOLO_WEIGHT) colors[v * 3] = -1;
  });
  return colors;
}

/** Minimum weight of a vertex to be shown when a joint is shown alone. */
const SOLO_WEIGHT = 0.02;

/** Brightens the surface that a joint moves, in place. */
function shine(colors: Float32Array, weights: SkinWeights, joint: number): void {
  weightsOf(weights, joint).forEach((weight, v) => {
    const share = 0.75 * weight;
    for (let i = 0; i < 3; i++) {
      colors[v * 3 + i] += share * (SHINE[i] - colors[v * 3 + i]);
    }
  });
}

const SHINE = [1, 0.78, 0.32];

function lookColors(state: State, weights: SkinWeights, id: number): Float32Array {
  const count = (state.character?.prepared.character.mesh.positions.length ?? 0) / 3;
  if (state.look === "dominant") return dominantColors(weights, count);
  // Errors exist only for the current weights, not for those they are compared with.
  const isClay = state.look === "error" && id !== state.current;
  const { ramp, values } = isClay
    ? { ramp: CLAY, values: undefined }
    : rampedValues(state, weights);
  const table = tableOf(ramp);
  const colors = new Float32Array(count * 3);
  for (let v = 0; v < count; v++) {
    const at = Math.min(255, Math.max(0, Math.round((values?.[v] ?? 0) * 255))) * 3;
    for (let i = 0; i < 3; i++) colors[v * 3 + i] = table[at + i];
  }
  return colors;
}

function rampedValues(
  { look, field, comparison, joint }: State,
  weights: SkinWeights,
): { ramp: Ramp; values: Float32Array | undefined } {
  if (look === "heat") return { ramp: HEAT, values: weightsOf(weights, joint) };
  if (look === "hollow" && field) {
    const far = field.reduce(
      (most, value) => (Number.isFinite(value) && value > most ? value : most),
      1e-6,
    );
    return { ramp: DISTANCE, values: field.map((value) => value / far) };
  }
  if (look === "error" && comparison) {
    return { ramp: ERROR, values: comparison.errors.map((value) => value / 1.5) };
  }
  return { ramp: CLAY, values: undefined };
}

/** P, the weight of one joint. */
export function weightsOf(
  { influences, joints, weights }: SkinWeights,
  joint: number,
): Float32Array {
  const own = new Float32Array(weights.length / influences);
  for (let slot = 0; slot < weights.length; slot++) {
    if (joints[slot] === joint && weights[slot] > 0) {
      own[Math.floor(slot / influences)] += weights[slot];
    }
  }
  return own;
}

function dominantColors({ influences, joints }: SkinWeights, count: number): Float32Array {
  const colors = new Float32Array(count * 3);
  const known = new Map<number, Color>();
  for (let v = 0; v < count; v++) {
    const joint = joints[v * influences];
    let color = known.get(joint);
    if (!color) {
      color = jointColor(joint);
      known.set(joint, color);
    }
    color.toArray(colors, v * 3);
  }
  return colors;
}

/** 256×3, colors of a ramp, linear as three.js expects. */
function tableOf(ramp: Ramp): Float32Array {
  const table = new Float32Array(256 * 3);
  for (let i = 0; i < 256; i++) {
    const [r, g, b] = rampColor(ramp, i / 255);
    new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace).toArray(table, i * 3);
  }
  return table;
}
