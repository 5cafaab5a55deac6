import type { Character } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { type Components, connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { meanBleed } from "../review/bleed.ts";
import {
  readRow,
  rowCount,
  type SkinWeights,
  weightIn,
  weightPerJoint,
} from "../weights/skin-weights.ts";
import { eachDifference } from "./metrics.ts";

/** Possible causes of a high error, as fractions of the character's weight (0 to 1). */
export interface Diagnosis {
  /** Weight on far joints, predicted and in the artist's weights. */
  far: number;
  artistFar: number;
  /** Weight on joints the artist did not use, and the joint with most of it. */
  idle: number;
  idleJoint: string;
  /**
   * Vertices in loose parts that follow one joint in the artist's weights but not in the predicted
   * ones.
   */
  torn: number;
  /** The largest amount of weight moved from one joint to another. */
  moved: number;
  movedFrom: string;
  movedTo: string;
  unweighted: number;
}

/** A part is torn if less than this fraction of its weight stays on its joint. */
const HELD = 0.9;

/**
 * Looks for the usual causes of a high error.
 *
 * @param character welded, with the artist's weights
 * @param predicted V rows, pruned as for the score
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
  const V = rowCount(predicted);
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

/** Describes the two main causes in one sentence. */
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
      `${percent(idle)} is on joints the artist did not use, most of it on "${diagnosis.idleJoint}"`,
    ],
    [torn, `loose parts with ${percent(torn)} of the vertices, rigid for the artist, are torn`],
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
  if (found.length === 0) return "Many small differences, no single cause.";
  const sentence = found.join("; ");
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
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
  // From each joint that lacks weight to the joints that have too much, in proportion.
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
  const { mesh } = character;
  const parts = connectedComponents(vertexNeighbors(mesh.triangles, vertexCount(mesh)));
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
    // A part that follows one wrong joint is misplaced, not torn.
    const fraction = held[part] / size[part];
    if (owner[part] >= 0 && size[part] > 1 && fraction > 1 - HELD && fraction < HELD)
      torn += size[part];
  }
  return torn;
}

/** Returns the joint that moves each part in the artist's weights, -1 if there are several. */
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
