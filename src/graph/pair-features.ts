import { dot } from "../math/vec3.ts";
import { createPairGeometry, type PairGeometry, pairGeometry } from "./pair-geometry.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link pairFeatures}, in order. */
const COLUMNS = [
  "offsetX",
  "offsetY",
  "offsetZ",
  "euclid",
  "along",
  "alongFree",
  "logEuclid",
  "logHollow",
  "logHead",
  "ratioHollow",
  "ratioEuclid",
  "ratioHead",
  "inverseHollow",
  "inverseEuclid",
  "detour",
  "logLength",
  "inside",
  "normalOffset",
  "normalAxis",
  "offsetAxis",
  "rank",
  "prior",
  "logPrior",
  "hopsNearest",
  "nearest",
  "parentOfNearest",
  "childOfNearest",
  "hopsHeat",
  "heat",
  "parentOfHeat",
  "childOfHeat",
] as const;

export const PAIR_FEATURES: readonly string[] = COLUMNS;

const AT = Object.fromEntries(COLUMNS.map((name, column) => [name, column])) as Record<
  (typeof COLUMNS)[number],
  number
>;

/** Added to distances in logarithms: half a cell at 88 cells. */
const FLOOR = 0.006;
/** Upper limit of path lengths (four times the character). */
const FARTHEST = 4;
/** Offsets to a bone are at most about a quarter of the character. */
const OFFSET_SCALE = 4;
/** Added to distances in ratios, so that two touching bones are alike. */
const RATIO_FLOOR = 0.01;
/** 0.05 / (d + 0.025) is 2 at the bone and 0.4 at a tenth of the character. */
const INVERSE_SCALE = 0.05;
const INVERSE_FLOOR = 0.025;
/** 1 + log(p + 1e-4) / 4.6 ranges from -1 for no heat to 1 for all of it. */
const PRIOR_FLOOR = 1e-4;
const PRIOR_SCALE = 4.6;
/** Heats this close are a tie, won by the nearer bone, so that rounding does not decide. */
const HEAT_TIE = 1e-3;
/** Measured slots; ranks are relative to it. */
const RANKS = 16;

/** Returns log(d), normalized to about -1 to 1 over the distances seen on characters. */
export function logDistance(distance: number): number {
  return (Math.log(Math.min(distance, FARTHEST) + FLOOR) + 2.8) / 1.4;
}

interface Best {
  hollow: number;
  euclid: number;
  /** To the joint itself. */
  head: number;
  nearestBone: number;
  heatBone: number;
}

/**
 * Returns the features of each pair of a vertex and a candidate bone.
 *
 * In addition to the paper's 1/D: offset, position along the bone, distance to the joint itself (the segments
 * of a rig's root run through the whole body), ratios to the nearest candidate (scale-free), the fraction of
 * the segment inside the body, angles to the vertex normal, the heat prior, and the bone's relation in the
 * skeleton to the nearest candidate and to the one with the most heat.
 *
 * @param k slots used of `input.distances`
 * @returns (V·K)×{@link PAIR_FEATURES}; zero rows in empty slots
 */
export function pairFeatures(input: GraphInput, k: number): Float32Array {
  const { mesh, skeleton, distances, prior, normals } = input;
  const V = mesh.positions.length / 3;
  const B = skeleton.parents.length;
  const hops = boneHops(skeleton.parents);
  const out = new Float32Array(V * k * COLUMNS.length);
  const geometry = Array.from({ length: k }, createPairGeometry);
  const heads = new Float64Array(k);
  for (let v = 0; v < V; v++) {
    const row = v * distances.k;
    const best = compare(input, v, geometry, heads);
    const normal = normals.subarray(v * 3, v * 3 + 3);
    for (let slot = 0; slot < k; slot++) {
      const bone = distances.bones[row + slot];
      if (bone < 0) continue;
      const o = (v * k + slot) * COLUMNS.length;
      const hollow = Math.min(distances.distances[row + slot], FARTHEST);
      const heat = prior[row + slot];
      fillGeometry(out, o, geometry[slot], normal);
      fillDistances(out, o, geometry[slot].distance, hollow, heads[slot], best);
      out[o + AT.inside] = input.inside[geometry[slot].segment];
      out[o + AT.rank] = slot / RANKS;
      out[o + AT.prior] = heat;
      out[o + AT.logPrior] = 1 + Math.log(heat + PRIOR_FLOOR) / PRIOR_SCALE;
      const { nearestBone, heatBone } = best;
      const { parents } = skeleton;
      out[o + AT.hopsNearest] = hops[bone * B + nearestBone] / MAX_HOPS;
      out[o + AT.nearest] = Number(bone === nearestBone);
      out[o + AT.parentOfNearest] = Number(parents[nearestBone] === bone);
      out[o + AT.childOfNearest] = Number(parents[bone] === nearestBone);
      out[o + AT.hopsHeat] = hops[bone * B + heatBone] / MAX_HOPS;
      out[o + AT.heat] = Number(bone === heatBone);
      out[o + AT.parentOfHeat] = Number(parents[heatBone] === bone);
      out[o + AT.childOfHeat] = Number(parents[bone] === heatBone);
    }
  }
  return out;
}

/** Measures all candidates of a vertex into `geometry` and `heads`, and finds the best of each kind. */
function compare(
  { mesh: { positions }, bones, distances, prior }: GraphInput,
  v: number,
  geometry: PairGeometry[],
  heads: Float64Array,
): Best {
  const row = v * distances.k;
  const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
  const best: Best = {
    hollow: Math.min(distances.distances[row], FARTHEST),
    euclid: Number.POSITIVE_INFINITY,
    head: Number.POSITIVE_INFINITY,
    nearestBone: distances.bones[row],
    heatBone: distances.bones[row],
  };
  let highest = -1;
  for (let slot = 0; slot < geometry.length; slot++) {
    const bone = distances.bones[row + slot];
    if (bone < 0) continue;
    pairGeometry(x, y, z, bones, bone, geometry[slot]);
    const dx = bones.heads[bone * 3] - x;
    const dy = bones.heads[bone * 3 + 1] - y;
    const dz = bones.heads[bone * 3 + 2] - z;
    heads[slot] = Math.sqrt(dx * dx + dy * dy + dz * dz);
    best.euclid = Math.min(best.euclid, geometry[slot].distance);
    best.head = Math.min(best.head, heads[slot]);
    if (prior[row + slot] > highest + HEAT_TIE) {
      highest = prior[row + slot];
      best.heatBone = bone;
    }
  }
  return best;
}

function fillGeometry(
  out: Float32Array,
  o: number,
  { offset, axis, distance, along, alongFree, length }: PairGeometry,
  normal: Float32Array,
): void {
  const unit = 1 / (distance + 1e-6);
  out[o + AT.offsetX] = offset[0] * OFFSET_SCALE;
  out[o + AT.offsetY] = offset[1] * OFFSET_SCALE;
  out[o + AT.offsetZ] = offset[2] * OFFSET_SCALE;
  out[o + AT.euclid] = Math.min(distance, FARTHEST) * OFFSET_SCALE;
  out[o + AT.along] = along;
  out[o + AT.alongFree] = Math.min(3, Math.max(-2, alongFree)) / 2;
  out[o + AT.logLength] = logDistance(length);
  out[o + AT.normalOffset] = dot(normal, offset) * unit;
  out[o + AT.normalAxis] = dot(normal, axis);
  out[o + AT.offsetAxis] = dot(offset, axis) * unit;
}

function fillDistances(
  out: Float32Array,
  o: number,
  euclid: number,
  hollow: number,
  head: number,
  best: Best,
): void {
  out[o + AT.logEuclid] = logDistance(euclid);
  out[o + AT.logHollow] = logDistance(hollow);
  out[o + AT.logHead] = logDistance(head);
  out[o + AT.ratioHollow] = logRatio(hollow, best.hollow);
  out[o + AT.ratioEuclid] = logRatio(euclid, best.euclid);
  out[o + AT.ratioHead] = logRatio(Math.min(head, FARTHEST), Math.min(best.head, FARTHEST));
  out[o + AT.inverseHollow] = INVERSE_SCALE / (hollow + INVERSE_FLOOR);
  out[o + AT.inverseEuclid] = INVERSE_SCALE / (euclid + INVERSE_FLOOR);
  out[o + AT.detour] = logRatio(hollow, euclid);
}

function logRatio(a: number, b: number): number {
  return Math.log((a + RATIO_FLOOR) / (b + RATIO_FLOOR));
}

/** Upper limit of hops. */
export const MAX_HOPS = 7;

/**
 * Returns the number of hops between each two bones along the skeleton, up to {@link MAX_HOPS}.
 *
 * @param parents B
 * @returns B×B
 */
export function boneHops(parents: Int32Array): Uint8Array {
  const count = parents.length;
  const neighbors: number[][] = Array.from({ length: count }, () => []);
  parents.forEach((parent, bone) => {
    if (parent < 0) return;
    neighbors[parent].push(bone);
    neighbors[bone].push(parent);
  });
  const hops = new Uint8Array(count * count).fill(MAX_HOPS);
  for (let source = 0; source < count; source++) {
    hops[source * count + source] = 0;
    let front = [source];
    for (let step = 1; step < MAX_HOPS && front.length > 0; step++) {
      const next: number[] = [];
      for (const bone of front) {
        for (const other of neighbors[bone]) {
          if (hops[source * count + other] <= step) continue;
          hops[source * count + other] = step;
          next.push(other);
        }
      }
      front = next;
    }
  }
  return hops;
}
