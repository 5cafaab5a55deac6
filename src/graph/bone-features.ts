import type { BoneDistances } from "../distance/bone-distances.ts";
import { distance, distanceOf } from "../math/vec3.ts";
import { childrenOf, type Skeleton } from "../skeleton/skeleton.ts";
import { JOINT_NAME_CLASSES, jointNameFeatures, NAME_PIECES, namePieces } from "./joint-names.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link boneFeatures}, in order; the classes of the joint's name follow them. */
const GEOMETRY: readonly string[] = [
  "head.x",
  "head.y",
  "head.z",
  "end.x",
  "end.y",
  "end.z",
  "direction.x",
  "direction.y",
  "direction.z",
  "log.length",
  "log.parent",
  "children",
  "leaf",
  "root",
  "depth",
  "log.subtree",
  "coincident",
  "log.nearest.vertex",
  "share.nearest",
  "share.candidate",
  "share.heat",
];

export const BONE_FEATURES: readonly string[] = [
  ...GEOMETRY,
  ...JOINT_NAME_CLASSES.map((name) => `name.${name}`),
  ...Array.from({ length: NAME_PIECES }, (_, column) => `piece.${column}`),
];

/** Columns of {@link radiusFeatures}, in order. */
export const RADIUS_FEATURES: readonly string[] = ["log.radius.head", "log.radius.tail"];

/**
 * How thick the body is at both ends of each bone.
 *
 * @param radii B, see `jointRadii`
 * @returns B×{@link RADIUS_FEATURES}
 */
export function radiusFeatures({ skeleton }: GraphInput, radii: Float32Array): Float32Array {
  const out = new Float32Array(radii.length * RADIUS_FEATURES.length);
  childrenOf(skeleton).forEach((children, b) => {
    const tails = children.map((child) => radii[child]);
    const tail = tails.reduce((sum, radius) => sum + radius, 0) / Math.max(1, tails.length);
    out[b * 2] = logDistance(radii[b]);
    out[b * 2 + 1] = logDistance(tails.length > 0 ? tail : radii[b]);
  });
  return out;
}

/** Joints closer than this (of a character's size) count as lying on one spot. */
const COINCIDENT = 2e-3;

/**
 * What is known of a bone: where it is, its place in the hierarchy, how much of the surface lies
 * nearest to it, and what its name says.
 *
 * @returns B×{@link BONE_FEATURES}
 */
export function boneFeatures(input: GraphInput): Float32Array {
  const { skeleton, bones, distances } = input;
  const B = skeleton.parents.length;
  const width = BONE_FEATURES.length;
  const out = new Float32Array(B * width);
  const children = childrenOf(skeleton);
  const { depth, subtree } = hierarchy(skeleton);
  const reach = reachOf(distances, input.prior, B);
  const coincident = coincidentJoints(skeleton.positions);
  for (let b = 0; b < B; b++) {
    const o = b * width;
    const head = bones.heads.subarray(b * 3, b * 3 + 3);
    const end = bones.ends.subarray(b * 3, b * 3 + 3);
    const length = distance(head, end);
    const parent = skeleton.parents[b];
    for (let axis = 0; axis < 3; axis++) {
      const shift = axis === 1 ? 1 : 0;
      out[o + axis] = head[axis] * 2 - shift;
      out[o + 3 + axis] = end[axis] * 2 - shift;
      out[o + 6 + axis] = length > 0 ? (end[axis] - head[axis]) / length : 0;
    }
    out[o + 9] = logDistance(length);
    out[o + 10] = parent < 0 ? 0 : logDistance(distanceOf(bones.heads, b, parent));
    out[o + 11] = Math.min(children[b].length, 8) / 4;
    out[o + 12] = children[b].length === 0 ? 1 : 0;
    out[o + 13] = parent < 0 ? 1 : 0;
    out[o + 14] = Math.min(depth[b], 20) / 10;
    out[o + 15] = Math.log(subtree[b]) / 3;
    out[o + 16] = Math.min(coincident[b], 4) / 2;
    out[o + 17] = logDistance(reach.nearest[b]);
    out[o + 18] = Math.sqrt(reach.first[b]);
    out[o + 19] = Math.sqrt(reach.candidate[b]);
    out[o + 20] = Math.sqrt(reach.heat[b]);
    const name = skeleton.names[b] ?? "";
    out.set(jointNameFeatures(name), o + GEOMETRY.length);
    out.set(namePieces(name), o + GEOMETRY.length + JOINT_NAME_CLASSES.length);
  }
  return out;
}

/** Depth below the root, and joints at or below each joint. */
function hierarchy(skeleton: Skeleton): { depth: Int32Array; subtree: Int32Array } {
  const B = skeleton.parents.length;
  const depth = new Int32Array(B);
  const subtree = new Int32Array(B);
  for (let b = 0; b < B; b++) {
    let steps = 0;
    for (let at = b; at >= 0 && steps <= B; at = skeleton.parents[at]) {
      subtree[at]++;
      steps++;
    }
    depth[b] = steps - 1;
  }
  return { depth, subtree };
}

/** What the vertices say of each bone. */
interface Reach {
  /** Distance of the closest vertex. */
  nearest: Float64Array;
  /** Shares of vertices that have it first, and at all. */
  first: Float64Array;
  candidate: Float64Array;
  /** Mean heat weight over the vertices. */
  heat: Float64Array;
}

function reachOf(distances: BoneDistances, prior: Float32Array, B: number): Reach {
  const nearest = new Float64Array(B).fill(2);
  const first = new Float64Array(B);
  const candidate = new Float64Array(B);
  const heat = new Float64Array(B);
  const share = distances.k / distances.bones.length;
  distances.bones.forEach((bone, at) => {
    if (bone < 0) return;
    nearest[bone] = Math.min(nearest[bone], distances.distances[at]);
    candidate[bone] += share;
    heat[bone] += share * prior[at];
    if (at % distances.k === 0) first[bone] += share;
  });
  return { nearest, first, candidate, heat };
}

/** For each joint, how many others lie on the same spot. */
function coincidentJoints(positions: Float32Array): Int32Array {
  const count = positions.length / 3;
  const out = new Int32Array(count);
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (distanceOf(positions, a, b) > COINCIDENT) continue;
      out[a]++;
      out[b]++;
    }
  }
  return out;
}
