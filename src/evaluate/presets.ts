import { InputError } from "../input-error.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** Scoring rules: how a prediction is pruned and what counts as an influence. */
export interface Preset {
  name: PresetName;
  /** Entries below this are set to zero first; 0 disables. */
  floor: number;
  /** Then entries below `prune` times the row's maximum are set to zero; 0 disables. */
  prune: number;
  /** A predicted weight above this is an influence. */
  predictedAbove: number;
  /** An artist's weight above this is an influence. */
  artistAbove: number;
  /** Whether precision and recall count all entries, or average over vertices. */
  counted: "entries" | "vertices";
}

/** `paper` is HeterSkinNet; the others are named after their projects. */
export type PresetName = "paper" | "rignet" | "puppeteer" | "anymate";

const presets: Record<PresetName, Omit<Preset, "name">> = {
  paper: { floor: 0, prune: 0.25, predictedAbove: 1e-4, artistAbove: 1e-4, counted: "entries" },
  rignet: { floor: 0, prune: 0.35, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  puppeteer: { floor: 1e-3, prune: 0.15, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  anymate: { floor: 0, prune: 0, predictedAbove: 0.05, artistAbove: 0.05, counted: "vertices" },
};

export const PRESET_NAMES: PresetName[] = Object.keys(presets) as PresetName[];

export const DEFAULT_PRESET: PresetName = "paper";

/** Finds a preset by name; `heterskinnet` is the former name of `paper`. */
export function findPreset(given: string): Preset {
  const name = given === "heterskinnet" ? "paper" : given;
  if (!Object.hasOwn(presets, name)) {
    throw new InputError(`Unknown preset "${given}"; choose one of ${PRESET_NAMES.join(", ")}.`);
  }
  return { name: name as PresetName, ...presets[name as PresetName] };
}

/** Prunes a prediction by the preset's rules and renormalizes; slots keep their order. */
export function thinWeights(predicted: SkinWeights, preset: Preset): SkinWeights {
  const { influences, joints } = predicted;
  const weights = predicted.weights.slice();
  for (let start = 0; start < weights.length; start += influences) {
    const row = weights.subarray(start, start + influences);
    let largest = 0;
    for (const weight of row) largest = Math.max(largest, weight);
    const threshold = Math.max(preset.floor, preset.prune * largest);
    let sum = 0;
    for (let slot = 0; slot < influences; slot++) {
      if (row[slot] < threshold) row[slot] = 0;
      sum += row[slot];
    }
    if (sum > 0) for (let slot = 0; slot < influences; slot++) row[slot] /= sum;
  }
  return { influences, joints, weights };
}
