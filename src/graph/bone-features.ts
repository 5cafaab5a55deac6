import type { BoneDistances } from "../distance/bone-distances.ts";
import { boundsOf, longestAxis } from "../math/aabb.ts";
import { hashText } from "../math/random.ts";
import { distance, distanceOf } from "../math/vec3.ts";
import { jointWords } from "../skeleton/helper-joints.ts";
import { childrenOf, depthsAndSizes } from "../skeleton/skeleton.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/**
 * Keyword classes for the role of a joint.
 *
 * Some roles cannot be seen in the geometry: an IK target or a weapon slot lies near the body but moves no
 * vertex. Names are hints: training hides them at random, so that unnamed skeletons work too.
 */
const CLASSES: Record<string, string[]> = {
  control: "pole target ik ctrl control controller pt special handle helper goal aim".split(" "),
  slot: "slot handslot attach socket prop weapon shield sheath quiver ammo projectile bow sword holster mount helmet".split(
    " ",
  ),
  end: "end nub tip leaf site effector eff".split(" "),
  root: "root armature master origin world base rig global".split(" "),
  twist: "twist roll share".split(" "),
  head: "head skull".split(" "),
  neck: "neck".split(" "),
  face: "jaw eye eyes brow lip mouth tongue cheek nose lid eyelid ear ears tooth teeth oris oculi levator temporalis risorius".split(
    " ",
  ),
  spine: "spine chest torso abdomen stomach belly back body breast rib ribs bust".split(" "),
  hips: "hips hip pelvis waist".split(" "),
  shoulder: "shoulder clavicle collar".split(" "),
  arm: "arm upperarm forearm lowerarm elbow bicep humerus".split(" "),
  hand: "hand wrist palm fist".split(" "),
  finger:
    "finger fingers thumb index middle ring pinky little metacarpal proximal intermediate distal claw".split(
      " ",
    ),
  leg: "leg upperleg lowerleg thigh calf shin knee femur upleg".split(" "),
  foot: "foot ankle toe toes heel paw hoof ball".split(" "),
  tail: "tail".split(" "),
  wing: "wing feather fin".split(" "),
  hair: "hair braid ponytail bang bangs mane".split(" "),
  cloth: "skirt dress cape cloak coat cloth robe scarf belt sleeve hood rope rein sail".split(" "),
};

/** Names of the classes, in column order. */
export const JOINT_NAME_CLASSES: string[] = Object.keys(CLASSES);

const columnOf = new Map<string, number>(
  JOINT_NAME_CLASSES.flatMap((name, column) =>
    CLASSES[name].map((word): [string, number] => [word, column]),
  ),
);

/**
 * Marks the classes whose keywords occur in a joint's name.
 *
 * @returns one 0 or 1 per class of {@link JOINT_NAME_CLASSES}
 */
export function jointNameFeatures(name: string): Float32Array {
  const features = new Float32Array(JOINT_NAME_CLASSES.length);
  for (const word of jointWords(name)) {
    const column = columnOf.get(word);
    if (column !== undefined) features[column] = 1;
  }
  return features;
}

/** Columns for the pieces of names; collisions hardly matter, names have many pieces. */
const NAME_PIECES = 64;

/**
 * A name as a bag of pieces: its words and its trigrams, each added or subtracted in one of
 * {@link NAME_PIECES} columns chosen by a hash. The network's first layer learns their meaning, in any language
 * and convention.
 *
 * @returns unit length; zeros for a name without letters
 */
function namePieces(name: string): Float32Array {
  const out = new Float32Array(NAME_PIECES);
  const plain = name.toLowerCase().replace(/[0-9]+/g, "0");
  const words = jointWords(name).map((word) => `<${word}>`);
  const framed = `^${plain}$`;
  const triples = Array.from({ length: Math.max(0, framed.length - 2) }, (_, i) =>
    framed.slice(i, i + 3),
  );
  const pieces = /\p{L}/u.test(name) ? [...words, ...words, ...triples] : [];
  for (const piece of pieces) {
    const hash = hashText(piece);
    out[hash % NAME_PIECES] += (hash >>> 20) % 2 === 0 ? 1 : -1;
  }
  const length = Math.hypot(...out);
  return length > 0 ? out.map((value) => value / length) : out;
}

/** Columns of {@link boneFeatures}, in order; the classes of the joint's name follow them. */
const GEOMETRY: readonly string[] = (
  "head.x head.y head.z end.x end.y end.z direction.x direction.y direction.z log.length log.parent " +
  "children leaf root depth log.subtree coincident log.nearest.vertex share.nearest share.candidate share.heat"
).split(" ");

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

/** Joints closer than this (relative to the character's size) coincide. */
const COINCIDENT = 2e-3;

/**
 * Returns the features of bones: position, hierarchy, the part of the surface nearest to them, and name.
 *
 * @returns B×{@link BONE_FEATURES}
 */
export function boneFeatures(input: GraphInput): Float32Array {
  const { skeleton, bones, distances } = input;
  const B = skeleton.parents.length;
  const width = BONE_FEATURES.length;
  const out = new Float32Array(B * width);
  const children = childrenOf(skeleton);
  const { depth, size: subtree } = depthsAndSizes(skeleton);
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

interface Reach {
  nearest: Float64Array;
  /** Fractions of vertices that have it as first, and as any candidate. */
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
  const fraction = distances.k / distances.bones.length;
  distances.bones.forEach((bone, at) => {
    if (bone < 0) return;
    nearest[bone] = Math.min(nearest[bone], distances.distances[at]);
    candidate[bone] += fraction;
    heat[bone] += fraction * prior[at];
    if (at % distances.k === 0) first[bone] += fraction;
  });
  return { nearest, first, candidate, heat };
}

/** Counts the joints at the position of each joint; sorted along the longest axis, so that most pairs are skipped. */
function coincidentJoints(positions: Float32Array): Int32Array {
  const out = new Int32Array(positions.length / 3);
  const axis = longestAxis(boundsOf(positions));
  const at = (joint: number) => positions[joint * 3 + axis];
  const order = [...out.keys()].sort((a, b) => at(a) - at(b));
  order.forEach((a, i) => {
    for (let next = i + 1; next < order.length; next++) {
      const b = order[next];
      if (at(b) - at(a) > COINCIDENT) break;
      if (distanceOf(positions, a, b) > COINCIDENT) continue;
      out[a]++;
      out[b]++;
    }
  });
  return out;
}
