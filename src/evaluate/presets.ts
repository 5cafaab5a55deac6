import { InputError } from "../input-error.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** Scoring rules: how a prediction is thinned and what counts as an influence. */
export interface Preset {
  name: PresetName;
  /** Entries below this are dropped first; 0 drops none. */
  floor: number;
  /** Then entries below `prune` times the row's largest are dropped; 0 drops none. */
  prune: number;
  /** A predicted weight above this is an influence. */
  predictedAbove: number;
  /** An artist's weight above this is an influence. */
  artistAbove: number;
  /** Precision and recall over all entries of the character, or per vertex and averaged. */
  counted: "entries" | "vertices";
}

/** `paper` is the HeterSkinNet paper; the others are named after their projects. */
export type PresetName = "paper" | "rignet" | "puppeteer" | "anymate";

const presets: Record<PresetName, Omit<Preset, "name">> = {
  paper: { floor: 0, prune: 0.25, predictedAbove: 1e-4, artistAbove: 1e-4, counted: "entries" },
  rignet: { floor: 0, prune: 0.35, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  puppeteer: { floor: 1e-3, prune: 0.15, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  anymate: { floor: 0, prune: 0, predictedAbove: 0.05, artistAbove: 0.05, counted: "vertices" },
};

export const PRESET_NAMES: PresetName[] = Object.keys(presets) as PresetName[];

export const DEFAULT_PRESET: PresetName = "paper";

/** Returns a preset by name; `heterskinnet` is the former name of `paper`. */
export function findPreset(given: string): Preset {
  const name = given === "heterskinnet" ? "paper" : given;
  if (!Object.hasOwn(presets, name)) {
    throw new InputError(`Unknown preset "${given}"; choose one of ${PRESET_NAMES.join(", ")}.`);
  }
  const known = name as PresetName;
  return { name: known, ...presets[known] };
}

/**
 * Thins a prediction by the preset: drops entries below the floor or below `prune` times the row's largest, and
 * renormalizes. Slots keep their positions; a row without weight stays empty.
 */
export function thinWeights(predicted: SkinWeights, preset: Preset): SkinWeights {
  const { influences, joints } = predicted;
  const weights = predicted.weights.slice();
  for (let start = 0; start < weights.length; start += influences) {
    const row = weights.subarray(start, start + influences);
    let largest = 0;
    for (const weight of row) largest = Math.max(largest, weight);
    const min = Math.max(preset.floor, preset.prune * largest);
    let sum = 0;
    for (let slot = 0; slot < influences; slot++) {
      if (row[slot] < min) row[slot] = 0;
      sum += row[slot];
    }
    if (sum > 0) for (let slot = 0; slot < influences; slot++) row[slot] /= sum;
  }
  return { influences, joints, weights };
}
