import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { InputError } from "../input-error.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { meanBleed } from "../review/bleed.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { deformationError, POSES } from "./deformation-error.ts";
import {
  DEFAULT_PRESET,
  findPreset,
  meanL1,
  type Preset,
  type PresetName,
  precisionRecall,
  thinWeights,
} from "./metrics.ts";
import { type VisibleFaults, visibleFaults } from "./visible-faults.ts";

/** Agreement of a prediction with the artist on one character. */
export interface CharacterScore {
  /** 0 to 1. */
  precision: number;
  /** 0 to 1. */
  recall: number;
  /** 0 to 2, after pruning by the preset. */
  l1: number;
  /** 0 to 2, before pruning. */
  l1Raw: number;
  /** Mean distance of posed vertices, in units of the longest side. */
  distance: number;
  /** Largest distance in a pose, averaged over poses. */
  maxDistance: number;
  /** 0 to 1, mean weight on far joints; omitted without distances. */
  bleed?: number;
  /** 0 to 1, fraction of vertices without weight. */
  unweighted: number;
  /** Faults that are visible when the character moves; absent in results of earlier versions. */
  visible?: VisibleFaults | undefined;
}

export type Metric = Exclude<keyof CharacterScore, "visible">;

export interface ScoreOptions {
  preset?: PresetName | Preset | undefined;
  /** Number of poses for the distance (default 10). */
  poses?: number | undefined;
  /** HollowDist of the welded vertices; enables the bleed metric. */
  distances?: BoneDistances | undefined;
}

/** A method fails on a character if a larger fraction of its vertices is unweighted. */
export const FAILED_ABOVE = 0.05;

/**
 * Scores predicted weights against the artist's.
 *
 * @param prepared with the artist's weights in `character.weights`
 * @param predicted weights of the welded vertices before pruning
 */
export function scoreWeights(
  prepared: PreparedCharacter,
  predicted: SkinWeights,
  options: ScoreOptions = {},
): CharacterScore {
  const { character } = prepared;
  const artist = character.weights;
  if (!artist) {
    throw new InputError(
      `${character.name} has no weights to score against; use files with painted weights.`,
    );
  }
  const V = vertexCount(character.mesh);
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
    visible: visibleFaults(character, thinned, artist),
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
  if (rows.weights.length !== V * rows.influences) {
    const got = rows.weights.length / rows.influences;
    throw new Error(`scoreWeights: the ${whose} weights must have ${V} rows, got ${got}.`);
  }
}
