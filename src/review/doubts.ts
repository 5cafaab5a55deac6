import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { weightPerJoint } from "../weights/skin-weights.ts";
import { pruneWeights } from "../weights/trim-weights.ts";
import { meanBleed } from "./bleed.ts";
import { checkPoses, type PoseCheck } from "./pose-check.ts";
import { reachBody, unreachableParts } from "./reach.ts";

/**
 * Reasons to check a vertex's weights, in the order of the bits of `Doubts.vertices`.
 *
 * @example
 * const { doubts } = await skin(character);
 * console.log(VERTEX_DOUBTS.filter((_, bit) => doubts.vertices[0] & (1 << bit)));
 */
export const VERTEX_DOUBTS = ["tie", "far", "unreachable", "clipped", "empty"] as const;
/**
 * A reason to check a vertex; see {@link Doubts}.
 *
 * @example
 * const reason: VertexDoubt = "tie";
 * const { doubts } = await skin(character);
 * const bit = 1 << VERTEX_DOUBTS.indexOf(reason);
 * console.log(doubts.vertices.filter((bits) => bits & bit).length);
 */
export type VertexDoubt = (typeof VERTEX_DOUBTS)[number];

export const BONE_DOUBTS = ["tie", "far", "clipped", "idle"] as const;
/**
 * A reason to check a bone; see {@link Doubts}.
 *
 * @example
 * const unused: BoneDoubt = "idle";
 * const { doubts } = await skin(character);
 * console.log(doubts.bones.filter(({ reason }) => reason === unused));
 */
export type BoneDoubt = (typeof BONE_DOUBTS)[number];

/**
 * Weights to check before use.
 *
 * Vertices: `tie`, the two heaviest joints weigh about the same and are not parent and child; `far`,
 * the nearest bone is far away; `unreachable`, a loose part that no bone reaches inside the body;
 * `clipped`, the limit on influences removed much of the weight; `empty`, the method assigned no
 * weight, so the vertex follows its nearest bone.
 *
 * Bones: `tie`, at the same position as another; `far`, entirely outside the body; `clipped`, the limit
 * removed much of its weight; `idle`, no vertex follows it, though it was not excluded.
 *
 * @example
 * const { doubts }: { doubts: Doubts } = await skin(character);
 * console.log(doubts.vertices.filter((bits) => bits !== 0).length, doubts.bones);
 */
export interface Doubts {
  /** V of the original mesh; bit n is set for reason n of {@link VERTEX_DOUBTS}. */
  vertices: Uint8Array;
  /** Joints in order, each once per reason. */
  bones: { joint: number; reason: BoneDoubt }[];
  /** Faults that are visible when the character moves, with the poses that show them. */
  poses: PoseCheck;
  /** Expected L1 error of the character, 0 to 2; see `doubtScore`. */
  score: number;
  /** Fraction of the weight on far joints (see `meanBleed`), if distances were measured. */
  bleed?: number;
}

/** The input of {@link findDoubts}. */
export interface SolvedCharacter {
  prepared: PreparedCharacter;
  /** The method's weights, in any order. */
  solved: SkinWeights;
  /** See {@link SolvedWeights}. */
  unsmoothed?: SkinWeights | undefined;
  /** Weights before the limit on influences, in any order. */
  unlimited: SkinWeights;
  /** Weights after all passes. */
  finished: SkinWeights;
  /** J, nonzero for excluded joints. */
  excluded: Uint8Array;
  /** Enables the checks that need distances. */
  measured?: MeasuredCharacter | undefined;
  maxInfluences: number;
  prune: number;
}

/** Ratio of the two heaviest joints from which they tie. */
const TIE = 0.9;

/** Distance of a far vertex in longest sides; see docs/report.md for its calibration. */
const FAR = 0.35;

/** Fraction of the weight of a vertex or bone that the limit may remove without a doubt. */
const CLIPPED = 0.1;

/** Finds weights of any method that may be wrong. */
export function findDoubts(facts: SolvedCharacter): Doubts {
  const { prepared, finished, measured, excluded } = facts;
  const { mesh, skeleton } = prepared.character;
  const flags = new Uint8Array(vertexCount(mesh));
  const flag = (vertex: number, reason: VertexDoubt) => {
    flags[vertex] |= 1 << VERTEX_DOUBTS.indexOf(reason);
  };
  findTies(finished, skeleton, (v) => flag(v, "tie"));
  findEmpty(facts.solved, (v) => flag(v, "empty"));
  const clippedBones = findClipped(facts, (v) => flag(v, "clipped"));
  const bones = coincidentBones(skeleton).map((joint) => ({ joint, reason: "tie" as BoneDoubt }));
  let bleed: number | undefined;
  const { bones: nearest = [], k = 0 } = measured?.distances ?? {};
  const isMeasured = measured !== undefined && nearest.length === flags.length * k;
  const score = doubtScore(facts, isMeasured ? measured.distances : undefined);
  if (isMeasured) {
    const { distances } = measured.distances;
    for (let v = 0; v < flags.length; v++) if (!(distances[v * k] <= FAR)) flag(v, "far");
    const reach = reachBody(measured);
    unreachableParts(mesh, measured, reach).forEach((isUnreachable, v) => {
      if (isUnreachable) flag(v, "unreachable");
    });
    reach.inside.forEach((inside, joint) => {
      if (!inside) bones.push({ joint, reason: "far" });
    });
    bleed = meanBleed(finished, measured.distances);
  }
  for (const joint of clippedBones) bones.push({ joint, reason: "clipped" });
  for (const joint of idleBones(finished, excluded)) bones.push({ joint, reason: "idle" });
  bones.sort((a, b) => a.joint - b.joint);
  const vertices = Uint8Array.from(prepared.welded, (vertex) => flags[vertex]);
  const poses = originalCheck(checkPoses({ mesh, skeleton }, finished, facts.unsmoothed), prepared);
  return { vertices, bones, poses, score, ...(bleed !== undefined && { bleed }) };
}

/** Converts the vertices of a pose check to those of the original mesh. */
export function originalCheck(check: PoseCheck, { welded }: PreparedCharacter): PoseCheck {
  const findings = check.findings.map((finding) => {
    const affected = new Set(finding.vertices);
    const vertices = Int32Array.from(welded.keys()).filter((v) => affected.has(welded[v]));
    return { ...finding, vertices };
  });
  return { ...check, findings };
}

function findTies(
  { influences, joints, weights }: SkinWeights,
  { parents }: Skeleton,
  found: (vertex: number) => void,
): void {
  if (influences < 2) return;
  for (let at = 0; at < weights.length; at += influences) {
    const [a, b] = [joints[at], joints[at + 1]];
    const ties = weights[at + 1] > 0 && weights[at + 1] >= TIE * weights[at];
    // Equal weights of a joint and its parent are normal where skin bends.
    if (ties && parents[a] !== b && parents[b] !== a) found(at / influences);
  }
}

function findEmpty({ influences, weights }: SkinWeights, found: (vertex: number) => void): void {
  for (let at = 0; at < weights.length; at += influences) {
    if (!weights.subarray(at, at + influences).some((weight) => weight > 0)) found(at / influences);
  }
}

/** Finds vertices and bones that lost much weight to the limit; returns the bones. */
function findClipped(
  { unlimited, maxInfluences, prune, prepared }: SolvedCharacter,
  found: (vertex: number) => void,
): number[] {
  const J = prepared.character.skeleton.parents.length;
  const total = new Float64Array(J);
  const removed = new Float64Array(J);
  // Heaviest first, so that weights without a slot come last.
  const { influences, joints, weights } = pruneWeights(unlimited, prune);
  for (let at = 0; at < weights.length; at += influences) {
    let cut = 0;
    for (let slot = 0; slot < influences; slot++) {
      const weight = weights[at + slot];
      total[joints[at + slot]] += weight;
      if (slot < maxInfluences) continue;
      cut += weight;
      removed[joints[at + slot]] += weight;
    }
    if (cut > CLIPPED) found(at / influences);
  }
  return [...total.keys()].filter((joint) => removed[joint] > CLIPPED * total[joint]);
}

/** Returns the joints whose bone has the same segments as another. */
function coincidentBones(skeleton: Skeleton): number[] {
  const { segments, starts } = bonesOf(skeleton);
  const groups = new Map<string, number[]>();
  for (let b = 0; b + 1 < starts.length; b++) {
    // A leaf's zero-length bone at the end of its parent's does not count.
    const key = segments.subarray(starts[b] * 6, starts[b + 1] * 6).join();
    const group = groups.get(key);
    if (group) group.push(b);
    else groups.set(key, [b]);
  }
  return [...groups.values()].filter((group) => group.length > 1).flat();
}

function idleBones(weights: SkinWeights, excluded: Uint8Array): number[] {
  const used = weightPerJoint(weights, excluded.length);
  return [...used.keys()].filter((joint) => used[joint] === 0 && excluded[joint] === 0);
}

/**
 * Linear regression of the L1 error on 90 validation characters with the default model, and 164
 * training characters unseen by the permissive model. Cross-validated rank correlations:
 * bench/results/doubt-val.json.
 */
const OFFSET = -0.103;
const PER_DIVISION = 2.277;
const PER_FARNESS = 0.613;

/** Mean distance to the nearest bone on those characters, used without distances. */
const MEAN_FARNESS = 0.112;

/**
 * Returns the expected L1 error of a character's weights, 0 to 2.
 *
 * A network that is certain gives a vertex to one or two bones, so the main predictor is the mean
 * fraction of weight not on the heaviest joint; the distance of the body from its bones adds to it.
 *
 * @param given the network's weights before smoothing, which hides doubt, or else the method's
 * @param distances to the nearest bones, in longest sides of the mesh
 */
export function doubtScore(
  given: { solved: SkinWeights; unsmoothed?: SkinWeights | undefined },
  distances?: BoneDistances,
): number {
  const score =
    OFFSET +
    PER_DIVISION * division(given.unsmoothed ?? given.solved) +
    PER_FARNESS * (distances ? farness(distances) : MEAN_FARNESS);
  return Math.min(2, Math.max(0, score));
}

/** Returns the mean fraction of weight not on the heaviest joint; 1 for an unweighted vertex. */
function division({ influences, weights }: SkinWeights): number {
  const count = weights.length / influences;
  let divided = 0;
  for (let v = 0; v < count; v++) {
    let [total, largest] = [0, 0];
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      total += weights[i];
      if (weights[i] > largest) largest = weights[i];
    }
    divided += total > 0 ? 1 - largest / total : 1;
  }
  return divided / Math.max(1, count);
}

/** Returns the mean distance to the nearest bone, clamped to 1 per vertex. */
function farness({ k, distances }: BoneDistances): number {
  let sum = 0;
  for (let at = 0; at < distances.length; at += k) sum += Math.min(1, distances[at]);
  return (sum * k) / Math.max(1, distances.length);
}

/** Descriptions of vertex doubts, after "are". */
export const VERTEX_DOUBT_TEXT: Readonly<Record<VertexDoubt, string>> = {
  tie: "torn between two bones",
  far: "far from every bone",
  unreachable: "in loose parts no bone reaches",
  clipped: "cut by the limit on influences",
  empty: "given no weight by the method",
};

/** Descriptions of bone doubts, after "is". */
export const BONE_DOUBT_TEXT: Readonly<Record<BoneDoubt, string>> = {
  tie: "at the same position as another",
  far: "outside the body",
  clipped: "cut by the limit on influences",
  idle: "moving no vertex",
};
