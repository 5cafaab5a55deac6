import { boneHops, MAX_HOPS } from "./bone-hops.ts";
import { createPairGeometry, pairGeometry } from "./pair-geometry.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link pairFeatures}, in order. */
export const PAIR_FEATURES: readonly string[] = [
  "offset.x",
  "offset.y",
  "offset.z",
  "euclid",
  "along",
  "along.free",
  "log.euclid",
  "log.hollow",
  "ratio.hollow",
  "ratio.euclid",
  "inverse.hollow",
  "inverse.euclid",
  "detour",
  "log.length",
  "normal.offset",
  "normal.axis",
  "offset.axis",
  "rank",
  "prior",
  "log.prior",
  "hops.nearest",
  "nearest",
  "parent.of.nearest",
  "child.of.nearest",
  "hops.heat",
  "heat",
  "parent.of.heat",
  "child.of.heat",
];

/** Distances enter logarithms and inverses with this floor: half a cell at 88 cells. */
const FLOOR = 0.006;
/** A path never is taken to be longer than this (four times the character). */
const FARTHEST = 4;

/** log(d) moved and scaled so that distances seen on characters fill about -1 to 1. */
export function logDistance(distance: number): number {
  return (Math.log(Math.min(distance, FARTHEST) + FLOOR) + 2.8) / 1.4;
}

/**
 * How each vertex lies to each of its candidate bones.
 *
 * Beside the paper's 1/D: offset, place along the bone, ratios to the nearest candidate (scale-free),
 * angles to the vertex normal, the heat prior, and the bone's relation in the skeleton to the
 * nearest candidate and to the one heat diffusion favours.
 *
 * @param k slots taken from `input.distances`
 * @returns (V·K)×{@link PAIR_FEATURES}; zero rows in empty slots
 */
export function pairFeatures(input: GraphInput, k: number): Float32Array {
  const { mesh, skeleton, bones, distances, normals, prior } = input;
  const width = PAIR_FEATURES.length;
  const V = mesh.positions.length / 3;
  const B = skeleton.parents.length;
  const hops = boneHops(skeleton.parents);
  const out = new Float32Array(V * k * width);
  const geometry = createPairGeometry();
  const euclid = new Float64Array(k);
  for (let v = 0; v < V; v++) {
    const row = v * distances.k;
    const px = mesh.positions[v * 3];
    const py = mesh.positions[v * 3 + 1];
    const pz = mesh.positions[v * 3 + 2];
    let nearestEuclid = Number.POSITIVE_INFINITY;
    let heat = distances.bones[row];
    let highest = -1;
    for (let slot = 0; slot < k; slot++) {
      const bone = distances.bones[row + slot];
      if (bone < 0) continue;
      euclid[slot] = pairGeometry(px, py, pz, bones, bone, geometry).distance;
      nearestEuclid = Math.min(nearestEuclid, euclid[slot]);
      if (prior[row + slot] > highest) {
        highest = prior[row + slot];
        heat = bone;
      }
    }
    const nearest = distances.bones[row];
    const nearestHollow = Math.min(distances.distances[row], FARTHEST);
    const nx = normals[v * 3];
    const ny = normals[v * 3 + 1];
    const nz = normals[v * 3 + 2];
    for (let slot = 0; slot < k; slot++) {
      const bone = distances.bones[row + slot];
      if (bone < 0) continue;
      const g = pairGeometry(px, py, pz, bones, bone, geometry);
      const hollow = Math.min(distances.distances[row + slot], FARTHEST);
      const p = prior[row + slot];
      const [ox, oy, oz] = g.offset;
      const unit = 1 / (g.distance + 1e-6);
      const o = (v * k + slot) * width;
      out[o] = ox * 4;
      out[o + 1] = oy * 4;
      out[o + 2] = oz * 4;
      out[o + 3] = Math.min(g.distance, FARTHEST) * 4;
      out[o + 4] = g.along;
      out[o + 5] = Math.min(3, Math.max(-2, g.alongFree)) / 2;
      out[o + 6] = logDistance(g.distance);
      out[o + 7] = logDistance(hollow);
      out[o + 8] = Math.log((hollow + 0.01) / (nearestHollow + 0.01));
      out[o + 9] = Math.log((g.distance + 0.01) / (nearestEuclid + 0.01));
      out[o + 10] = 0.05 / (hollow + 0.025);
      out[o + 11] = 0.05 / (g.distance + 0.025);
      out[o + 12] = Math.log((hollow + 0.01) / (g.distance + 0.01));
      out[o + 13] = logDistance(g.length);
      out[o + 14] = (nx * ox + ny * oy + nz * oz) * unit;
      out[o + 15] = nx * g.axis[0] + ny * g.axis[1] + nz * g.axis[2];
      out[o + 16] = (ox * g.axis[0] + oy * g.axis[1] + oz * g.axis[2]) * unit;
      out[o + 17] = slot / 16;
      out[o + 18] = p;
      out[o + 19] = 1 + Math.log(p + 1e-4) / 4.6;
      out[o + 20] = hops[bone * B + nearest] / MAX_HOPS;
      out[o + 21] = bone === nearest ? 1 : 0;
      out[o + 22] = skeleton.parents[nearest] === bone ? 1 : 0;
      out[o + 23] = skeleton.parents[bone] === nearest ? 1 : 0;
      out[o + 24] = hops[bone * B + heat] / MAX_HOPS;
      out[o + 25] = bone === heat ? 1 : 0;
      out[o + 26] = skeleton.parents[heat] === bone ? 1 : 0;
      out[o + 27] = skeleton.parents[bone] === heat ? 1 : 0;
    }
  }
  return out;
}
