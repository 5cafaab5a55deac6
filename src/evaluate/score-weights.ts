import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { InputError } from "../input-error.ts";
import { meanBleed } from "../review/bleed.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { deformationError, POSES } from "./deformation-error.ts";
import { meanL1 } from "./l1.ts";
import { precisionRecall } from "./precision-recall.ts";
import {
  DEFAULT_PRESET,
  findPreset,
  type Preset,
  type PresetName,
  thinWeights,
} from "./presets.ts";

/** Agreement of a prediction with the artist on one character. */
export interface CharacterScore {
  /** 0 to 1. */
  precision: number;
  /** 0 to 1. */
  recall: number;
  /** 0 to 2, after the preset's thinning. */
  l1: number;
  /** 0 to 2, the prediction as it is. */
  l1Raw: number;
  /** Mean distance of posed vertices, in units of the longest side. */
  distance: number;
  /** Largest distance in a pose, averaged over poses. */
  maxDistance: number;
  /** 0 to 1, mean weight on far joints; absent without distances. */
  bleed?: number;
  /** 0 to 1, fraction of vertices without weight. */
  unweighted: number;
}

/** One of the numbers of a score. */
export type Metric = keyof CharacterScore;

export interface ScoreOptions {
  preset?: PresetName | Preset | undefined;
  /** Poses for the distance; default 10. */
  poses?: number | undefined;
  /** HollowDist of the welded vertices, for the bleed. */
  distances?: BoneDistances | undefined;
}

/** Fraction of unweighted vertices above which a character has failed. */
export const FAILED_ABOVE = 0.05;

/**
 * Scores predicted weights against the artist's.
 *
 * @param prepared with the artist's weights in `character.weights`
 * @param predicted on the welded vertices, not pruned
 */
export function scoreWeights(
  prepared: PreparedCharacter,
  predicted: SkinWeights,
  options: ScoreOptions = {},
): CharacterScore {
  const { character } = prepared;
  const artist = character.weights;
  if (!artist) throw new InputError(`${character.name} has no painted weights to score against.`);
  const V = character.mesh.positions.length / 3;
  checkRows(predicted, V, "predicted");
  checkRows(artist, V, "artist's");
  const given = options.preset ?? DEFAULT_PRESET;
  const preset = typeof given === "string" ? findPreset(given) : given;
  const thinned = thinWeights(predicted, preset);
  return {
    ...precisionRecall(thinned, artist, preset),
    l1: meanL1(thinned, artist),
    l1Raw: meanL1(predicted, artist),
    ...deformationError(character, thinned, artist, options.poses ?? POSES),
    ...(options.distances && { bleed: meanBleed(thinned, options.distances) }),
    unweighted: unweightedFraction(thinned),
  };
}

function unweightedFraction({ influences, weights }: SkinWeights): number {
  const V = weights.length / influences;
  let empty = 0;
  for (let start = 0; start < weights.length; start += influences) {
    if (weights.subarray(start, start + influences).every((weight) => weight === 0)) empty++;
  }
  return V === 0 ? 0 : empty / V;
}

function checkRows(rows: SkinWeights, V: number, whose: string): void {
  const count = rows.weights.length / rows.influences;
  if (count === V) return;
  throw new Error(`scoreWeights: the ${whose} weights must have ${V} rows, got ${count}.`);
}
