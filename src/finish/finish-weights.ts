import type { Character } from "../character/character.ts";
import { findSymmetry, mirroredCount, type Symmetry } from "../character/symmetry.ts";
import { InputError } from "../input-error.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { bonesOf } from "../skeleton/bones.ts";
import { deformingJoints } from "../skeleton/deforming-joints.ts";
import { CONTROL, findJoints, helperJoints } from "../skeleton/helper-joints.ts";
import { ALONE } from "../skeleton/joint-pairs.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { rigidIslands } from "../weights/rigid-islands.ts";
import { type SkinWeights, weightPerJoint } from "../weights/skin-weights.ts";
import { smoothSteps } from "../weights/smooth-weights.ts";
import {
  ADAPT_FRACTION,
  adaptInfluences,
  excludeJoints,
  sortInfluences,
  trimWeights,
} from "../weights/trim-weights.ts";
import { applyLocks, DEFAULT_INFLUENCES, type WeightLocks } from "../weights/weight-locks.ts";
import { fillEmpty, nearestBone } from "./fill-empty.ts";
import { type MirrorSource, mirrorWeights } from "./mirror-weights.ts";

/** Mirror modes: the mean of both sides, or a copy of the positive (+) or negative (-) side. */
export const MIRRORS = ["x", "y", "z", "x+", "x-", "y+", "y-", "z+", "z-"] as const;
export type Mirror = (typeof MIRRORS)[number];

/** Passes applied to a method's weights. */
export interface FinishOptions {
  /** Maximum joints per vertex. */
  maxInfluences?: number | undefined;
  /** Weights below this fraction of the vertex's maximum are removed; 0 disables. */
  prune?: number | undefined;
  /** Fraction of the maximum subtracted from each weight, see `adaptInfluences`; 0 disables. */
  adapt?: number | undefined;
  /** Iterations of `smoothWeights` (default 0). */
  smooth?: number | undefined;
  /** Whether loose parts are rigid, see `rigidIslands`. */
  rigidIslands?: boolean | undefined;
  /** Mirror plane and direction. */
  mirror?: Mirror | undefined;
  /** Names of joints that keep their weight in the file. */
  lock?: string[] | undefined;
  /** Whether vertices with weights in the file keep them. */
  keepExisting?: boolean | undefined;
  /** Names of joints that receive no weight. */
  exclude?: string[] | undefined;
  /** Whether end markers and controls may receive weight. */
  allJoints?: boolean | undefined;
}

export const FINISH_DEFAULTS: { maxInfluences: number; prune: number; adapt: number } = {
  maxInfluences: DEFAULT_INFLUENCES,
  // Smaller weights are invisible but use a slot.
  prune: 0.01,
  adapt: ADAPT_FRACTION,
};

/** The origin of the weights. */
export interface WeightSource {
  /** The file's origin. */
  origin?: readonly number[] | undefined;
  /** Whether the method was trained to recognize end markers and controls that move vertices. */
  knowsHelpers?: boolean | undefined;
}

export interface FinishedWeights {
  weights: SkinWeights;
  /** One sentence per repair. */
  warnings: string[];
  /** Weights before pruning, limiting and mirroring. */
  unlimited: SkinWeights;
  /** J, nonzero for excluded joints: named ones and unused helpers. */
  excluded: Uint8Array;
  maxInfluences: number;
  prune: number;
}

/**
 * Finishes a method's weights: sorted, no empty rows, pruned, limited, normalized, with the
 * requested passes.
 *
 * @param character welded; its weights are those of the file
 */
export function finishWeights(
  solved: SkinWeights,
  character: Character,
  options: FinishOptions = {},
  source: WeightSource = {},
): FinishedWeights {
  const steps = finishSteps(solved, character, options, source);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** {@link finishWeights} in steps, to interleave other work. */
export function* finishSteps(
  solved: SkinWeights,
  character: Character,
  options: FinishOptions,
  { origin = [0, 0, 0], knowsHelpers = false }: WeightSource,
): Generator<void, FinishedWeights> {
  const { maxInfluences, prune, adapt } = FINISH_DEFAULTS;
  const limits = {
    maxInfluences: options.maxInfluences ?? maxInfluences,
    prune: options.prune ?? prune,
  };
  const { mesh, skeleton } = character;
  const locks = locksOf(character, options);
  const sorted = sortInfluences(solved);
  const claimed = knowsHelpers ? claimedJoints(sorted, skeleton) : undefined;
  const { excluded, kept } = excludedJoints(character, options, claimed);
  const warnings = keptWarning(kept);
  const filled = fillEmpty(excludeJoints(sorted, skeleton, excluded), character, excluded);
  if (filled.filled > 0) {
    warnings.push(
      `The method gave no weight to ${filled.filled} of ${vertexCount(mesh)} vertices; they follow their nearest bone.`,
    );
  }
  const hold = locks ? holdLocks(character, locks, excluded) : (weights: SkinWeights) => weights;
  let weights = hold(adaptInfluences(filled.weights, options.adapt ?? adapt));
  yield;
  if (options.smooth) weights = hold(yield* smoothSteps(weights, mesh, options.smooth));
  yield;
  if (options.rigidIslands) weights = hold(rigidIslands(weights, mesh));
  yield;
  if (locks) warnings.push(...crowdedWarning(locks, limits.maxInfluences));
  const facts = { unlimited: weights, excluded, ...limits };
  if (!options.mirror) return { weights: trimWeights(weights, limits, locks), warnings, ...facts };
  const [plane, side] = options.mirror;
  const axis = "xyz".indexOf(plane) as 0 | 1 | 2;
  const sources: Record<string, MirrorSource> = { "+": "high", "-": "low" };
  const symmetry = findSymmetry({ mesh, skeleton }, axis, origin[axis]);
  // An excluded joint cannot be a mirror image.
  const twins = symmetry.twins.map((twin, joint) =>
    excluded[joint] || (twin >= 0 && excluded[twin]) ? ALONE : twin,
  );
  const mirrorOptions = { ...limits, locks, source: sources[side] ?? "both" };
  return {
    weights: mirrorWeights(weights, skeleton, { ...symmetry, twins }, mesh, mirrorOptions),
    warnings: [
      ...warnings,
      ...asymmetryWarning(symmetry, plane),
      ...unpairedWarning(skeleton, weights, twins, plane),
    ],
    ...facts,
  };
}

/** Warns if most of a character is not symmetric. */
function asymmetryWarning(symmetry: Symmetry, axis: string): string[] {
  const { partners } = symmetry;
  const matched = mirroredCount(symmetry);
  if (matched * 2 >= partners.length) return [];
  return [
    `Only ${matched} of ${partners.length} vertices have a counterpart across ${axis}; the others were not mirrored.`,
  ];
}

/** Warns of joints with weight that have no mirror image; a name alone does not make a pair. */
function unpairedWarning(
  { names }: Skeleton,
  weights: SkinWeights,
  twins: Int32Array,
  axis: string,
): string[] {
  const used = weightPerJoint(weights, names.length);
  const alone = names.filter((_, joint) => twins[joint] === ALONE && used[joint] > 0);
  if (alone.length === 0) return [];
  const shown = alone.slice(0, 5).join(", ");
  const more = alone.length > 5 ? ` and ${alone.length - 5} more` : "";
  return [`These joints have no counterpart across ${axis}: ${shown}${more}.`];
}

function locksOf(
  { name, skeleton, weights }: Character,
  { lock = [], keepExisting = false }: FinishOptions,
): WeightLocks | undefined {
  if (lock.length === 0 && !keepExisting) return undefined;
  if (!weights) {
    throw new InputError(`Character "${name}" has no weights to keep; use a file with weights.`);
  }
  return { weights, joints: findJoints(lock, skeleton, "lock"), rows: keepExisting };
}

/**
 * Minimum vertices in which a helper must be heaviest to keep its weight, for methods trained with
 * helpers; see bench/results/exclude.csv.
 */
const CLAIMED = 5;

/** J, 1 for joints that are heaviest in at least {@link CLAIMED} vertices. */
function claimedJoints({ influences, joints, weights }: SkinWeights, { names }: Skeleton) {
  const counts = new Int32Array(names.length);
  for (let at = 0; at < joints.length; at += influences) if (weights[at] > 0) counts[joints[at]]++;
  return Uint8Array.from(counts, (count) => Number(count >= CLAIMED));
}

function keptWarning(kept: string[]): string[] {
  if (kept.length === 0) return [];
  const shown = kept.slice(0, 3).join(", ") + (kept.length > 3 ? ", ..." : "");
  return [
    kept.length === 1
      ? `The joint ${shown} is named like a helper but moves vertices; exclude it if it should not.`
      : `${kept.length} joints are named like helpers but move vertices (${shown}); exclude them if they should not.`,
  ];
}

/** Throws `InputError` for options that exclude every joint, or a joint that is unknown or locked; quick. */
export function checkExcluded(character: Character, options: FinishOptions): void {
  excludedJoints(character, options, new Uint8Array(character.skeleton.names.length).fill(1));
}

/**
 * Returns the kind of each excluded joint: named ones, and helpers that the file's weights do not
 * use.
 *
 * @param claimed J, nonzero for helpers to keep unless named
 * @returns also the names of the helpers kept
 */
function excludedJoints(
  { skeleton, weights }: Character,
  { exclude = [], lock = [], allJoints = false }: FinishOptions,
  claimed?: Uint8Array,
): { excluded: Uint8Array; kept: string[] } {
  const { deforming } = deformingJoints(skeleton);
  const helpers = helperJoints(skeleton).map((kind, joint) => (deforming[joint] ? kind : CONTROL));
  const excluded = allJoints ? new Uint8Array(helpers.length) : helpers.slice();
  weights?.joints.forEach((joint, slot) => {
    if (weights.weights[slot] > 0) excluded[joint] = 0;
  });
  const named = findJoints(exclude, skeleton, "exclude");
  const isKept = excluded.map((kind, joint) => Number(kind && claimed?.[joint] && !named[joint]));
  isKept.forEach((is, joint) => {
    if (is) excluded[joint] = 0;
  });
  const locked = findJoints(lock, skeleton, "lock");
  named.forEach((isNamed, joint) => {
    if (!isNamed) return;
    if (locked[joint]) {
      throw new InputError(`The joint "${skeleton.names[joint]}" is both locked and excluded.`);
    }
    excluded[joint] = helpers[joint] || 1;
  });
  if (excluded.every((kind) => kind !== 0)) {
    throw new InputError("All joints are excluded; keep at least one.");
  }
  return { excluded, kept: skeleton.names.filter((_, joint) => isKept[joint]) };
}

function holdLocks(
  { mesh, skeleton }: Character,
  locks: WeightLocks,
  excluded: Uint8Array,
): (weights: SkinWeights) => SkinWeights {
  const bones = bonesOf(skeleton);
  const barred = excluded.map((kind, joint) => (kind || locks.joints[joint] ? 1 : 0));
  const spare = (vertex: number) => nearestBone(mesh.positions, vertex, bones, barred);
  return (weights) => applyLocks(weights, locks, spare);
}

/** Warns about locked weights that exceed the slots. */
function crowdedWarning({ weights, joints, rows }: WeightLocks, slots: number): string[] {
  let crowded = 0;
  for (let start = 0; start < weights.weights.length; start += weights.influences) {
    let [locked, sum] = [0, 0];
    for (let i = start; i < start + weights.influences; i++) {
      if (weights.weights[i] === 0 || !(rows || joints[weights.joints[i]])) continue;
      locked++;
      sum += weights.weights[i];
    }
    if (locked > slots || (locked === slots && sum < 1 - 1e-6)) crowded++;
  }
  if (crowded === 0) return [];
  const what = `${crowded} vertices have more locked weights than ${slots} influences`;
  return [`${what}; the smallest were dropped.`];
}
