import type { BoneDistances, Character, SkinWeights } from "../../src/index.ts";

/** Why a vertex deserves a look. */
export type DoubtReason = "far weight" | "cut off" | "far away" | "tie";

/** Vertices that share a reason and a bone, the worst first. */
export interface VertexDoubt {
  reason: DoubtReason;
  /** The heaviest bone of these vertices. */
  joint: number;
  vertices: number[];
}

/** What a visitor should look at before trusting the weights. */
export interface Doubts {
  vertices: VertexDoubt[];
  /** Bones that move hardly anything. */
  idleJoints: number[];
}

/** Weight on far joints above which a vertex is doubtful. */
const MUCH_FAR = 0.25;
/** Weight lost to the limit on influences above which a vertex is doubtful. */
const MUCH_DROPPED = 0.1;
/** Distance to the nearest bone, in longest sides, above which a vertex is doubtful. */
const FAR_AWAY = 0.15;
/** Two bones that are not neighbours and differ by less than this are a tie. */
const TIE = 0.1;
/** A bone whose largest weight anywhere is below this does nothing that can be seen. */
const IDLE = 0.05;

/** Lists doubtful vertices by reason and bone, largest groups first, and idle bones. */
export function findDoubts(
  { skeleton }: Character,
  weights: SkinWeights,
  distances: BoneDistances,
  bleed: Float32Array,
  dropped: Float32Array,
): Doubts {
  const { influences } = weights;
  const groups = new Map<string, VertexDoubt>();
  const heaviest = new Float32Array(skeleton.parents.length);
  for (let v = 0; v < bleed.length; v++) {
    const row = v * influences;
    for (let slot = row; slot < row + influences; slot++) {
      const joint = weights.joints[slot];
      heaviest[joint] = Math.max(heaviest[joint], weights.weights[slot]);
    }
    const reason = doubt(v);
    if (!reason) continue;
    const joint = weights.joints[row];
    const group = groups.get(`${reason}/${joint}`) ?? { reason, joint, vertices: [] };
    groups.set(`${reason}/${joint}`, group);
    group.vertices.push(v);
  }
  return {
    vertices: [...groups.values()].sort((a, b) => b.vertices.length - a.vertices.length),
    idleJoints: [...heaviest.keys()].filter((joint) => heaviest[joint] < IDLE),
  };

  function doubt(v: number): DoubtReason | undefined {
    if (bleed[v] > MUCH_FAR) return "far weight";
    if (dropped[v] > MUCH_DROPPED) return "cut off";
    if (distances.distances[v * distances.k] > FAR_AWAY) return "far away";
    return isTie(v) ? "tie" : undefined;
  }

  function isTie(v: number): boolean {
    if (influences < 2) return false;
    const row = v * influences;
    const [first, second] = weights.joints.subarray(row, row + 2);
    const { parents } = skeleton;
    const isNear =
      parents[first] === second || parents[second] === first || parents[first] === parents[second];
    return !isNear && weights.weights[row + 1] > weights.weights[row] - TIE;
  }
}

/** Weight each vertex loses when only its heaviest joints are kept, 0 to 1. */
export function droppedWeight(solved: SkinWeights, limit: number): Float32Array {
  const { influences, weights } = solved;
  const lost = new Float32Array(weights.length / influences);
  for (let v = 0; v < lost.length; v++) {
    const row = weights
      .slice(v * influences, (v + 1) * influences)
      .sort()
      .reverse();
    const total = row.reduce((sum, weight) => sum + weight, 0);
    for (let slot = limit; slot < influences; slot++) lost[v] += total > 0 ? row[slot] / total : 0;
  }
  return lost;
}
