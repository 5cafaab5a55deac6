import type { Character } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { type Components, connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { meanBleed } from "../review/bleed.ts";
import { readRow, type SkinWeights, weightIn } from "../weights/skin-weights.ts";
import { eachDifference } from "./l1.ts";

/** Likely reasons of a high error on a character, as fractions of all its weight (0 to 1). */
export interface Diagnosis {
  /** Weight on far joints; the artist's own in `artistFar`. */
  far: number;
  artistFar: number;
  /** Weight on joints that have none from the artist, and the joint with most of it. */
  idle: number;
  idleJoint: string;
  /** Vertices in loose parts that follow one joint of the artist's and are split by the method. */
  torn: number;
  /** The largest amount of weight moved from the artist's joint to another one. */
  moved: number;
  movedFrom: string;
  movedTo: string;
  unweighted: number;
}

/** A part is torn if less than this fraction of its weight stays on its joint. */
const HELD = 0.9;

/**
 * Diagnoses the usual reasons of a high error.
 *
 * @param character welded, with the artist's weights
 * @param predicted V rows, thinned as for the score
 */
export function diagnose(
  character: Character,
  predicted: SkinWeights,
  distances: BoneDistances,
): Diagnosis {
  const artist = character.weights!;
  const { names } = character.skeleton;
  const idle = idleWeight(predicted, artist, names.length);
  const stream = largestStream(predicted, artist, names.length);
  const V = predicted.weights.length / predicted.influences;
  return {
    far: meanBleed(predicted, distances),
    artistFar: meanBleed(artist, distances),
    idle: idle.total / V,
    idleJoint: names[idle.joint] ?? "",
    torn: tornVertices(character, predicted) / V,
    moved: stream.amount / V,
    movedFrom: names[stream.from] ?? "",
    movedTo: names[stream.to] ?? "",
    unweighted: 1 - weightPerJoint(predicted, names.length).reduce((sum, w) => sum + w, 0) / V,
  };
}

/** Describes the two largest reasons in one sentence. */
export function diagnosisSentence(diagnosis: Diagnosis): string {
  const percent = (fraction: number) => `${Math.round(100 * fraction)} %`;
  const { far, artistFar, idle, torn, moved, unweighted } = diagnosis;
  const reasons: [number, string][] = [
    [unweighted, `${percent(unweighted)} of the weight is missing`],
    [
      far - artistFar,
      `${percent(far)} of the weight is on far joints (the artist's: ${percent(artistFar)})`,
    ],
    [
      idle,
      `${percent(idle)} is on joints the artist leaves without weight, most on "${diagnosis.idleJoint}"`,
    ],
    [torn, `loose parts with ${percent(torn)} of the vertices, rigid for the artist, are split`],
    [
      moved,
      `${percent(moved)} of the weight went to "${diagnosis.movedTo}" instead of "${diagnosis.movedFrom}"`,
    ],
  ];
  const found = reasons
    .filter(([fraction]) => fraction >= 0.02)
    .sort(([a], [b]) => b - a)
    .slice(0, 2)
    .map(([, text]) => text);
  if (found.length === 0) return "Many small differences, no single reason.";
  const sentence = found.join("; ");
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
}

/** J, the weight of each joint, summed over vertices. */
function weightPerJoint({ joints, weights }: SkinWeights, J: number): Float64Array {
  const totals = new Float64Array(J);
  for (let slot = 0; slot < weights.length; slot++) totals[joints[slot]] += weights[slot];
  return totals;
}

function idleWeight(predicted: SkinWeights, artist: SkinWeights, J: number) {
  const used = weightPerJoint(artist, J);
  const given = weightPerJoint(predicted, J);
  let total = 0;
  let joint = -1;
  for (let j = 0; j < J; j++) {
    if (used[j] > 0) continue;
    total += given[j];
    if (given[j] > (joint < 0 ? 0 : given[joint])) joint = j;
  }
  return { total, joint };
}

function largestStream(predicted: SkinWeights, artist: SkinWeights, J: number) {
  const streams = new Map<number, number>();
  // From each joint with too little weight to those with too much, in proportion.
  eachDifference(predicted, artist, (lack, joints) => {
    const total = joints.reduce((sum, joint) => sum + Math.max(0, -lack[joint]), 0);
    for (const from of joints) {
      if (lack[from] <= 0) continue;
      for (const to of joints) {
        if (lack[to] >= 0) continue;
        const amount = (lack[from] * -lack[to]) / total;
        streams.set(from * J + to, (streams.get(from * J + to) ?? 0) + amount);
      }
    }
  });
  let best = { amount: 0, from: -1, to: -1 };
  for (const [pair, amount] of streams) {
    if (amount > best.amount) best = { amount, from: Math.floor(pair / J), to: pair % J };
  }
  return best;
}

function tornVertices(character: Character, predicted: SkinWeights): number {
  const { positions, triangles } = character.mesh;
  const parts = connectedComponents(vertexNeighbors(triangles, positions.length / 3));
  if (parts.count < 2) return 0;
  const owner = rigidOwners(parts, character.weights!);
  const size = new Float64Array(parts.count);
  const held = new Float64Array(parts.count);
  parts.component.forEach((part, v) => {
    size[part]++;
    held[part] += weightIn(readRow(predicted, v), owner[part]);
  });
  let torn = 0;
  for (let part = 0; part < parts.count; part++) {
    // A part that completely follows a wrong joint is misplaced, not torn.
    const fraction = held[part] / size[part];
    const isSplit = fraction > 1 - HELD && fraction < HELD;
    if (owner[part] >= 0 && size[part] > 1 && isSplit) torn += size[part];
  }
  return torn;
}

/** The artist's only joint of each part, or -1. */
function rigidOwners({ count, component }: Components, artist: SkinWeights): Int32Array {
  const owner = new Int32Array(count).fill(-2);
  component.forEach((part, v) => {
    const joint = artist.joints[v * artist.influences];
    const rigid = artist.weights[v * artist.influences] > 0.999;
    if (!rigid || (owner[part] !== -2 && owner[part] !== joint)) owner[part] = -1;
    else if (owner[part] === -2) owner[part] = joint;
  });
  return owner.map((joint) => Math.max(-1, joint));
}
