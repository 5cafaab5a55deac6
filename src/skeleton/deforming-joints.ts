import { boundsOf, longestSide } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import { jointWords, markedEnds } from "./helper-joints.ts";
import { jointCount, type Skeleton } from "./skeleton.ts";

/** The joints of a rig that deform the skin. */
export interface DeformingJoints {
  /** The rig's convention, for messages; absent if all joints may deform. */
  convention?: string | undefined;
  /** J, 1 for a joint that may move vertices. */
  deforming: Uint8Array;
}

/** Words that mark deforming joints. */
const MARKS = new Set("def deform bind bnd skin".split(" "));
/** Words of joints that move other joints; joints with such a first word carry no weight in training data. */
const MECHANISM = new Set("mch tgt vis wgt".split(" "));
/** Words of helpers that duplicate another joint at the same position. */
const AFFIXES = new Set(
  "org ctrl c fk ik fkx ikx drv driver tweak target parent ref pole proxy nostr".split(" "),
);
const ROOTS = new Set("root master origin world global armature rig".split(" "));

/** Fewer marks may be accidental. */
const MIN_MARKS = 4;
/** Joints closer than this fraction of the skeleton's size coincide. */
const SAME_POSITION = 2e-3;

/**
 * Distinguishes deforming joints from those of a control rig, by the naming conventions of common rigs:
 * Rigify's DEF-, ORG- and MCH-, c_ and _fk of Auto-Rig Pro, FKX and IKX of Advanced Skeleton, and others with
 * the same habits.
 *
 * If some joints are marked as deforming, others are excluded if they coincide with a marked one, have a word
 * of a mechanism, or are a root; the rest (a sword, an ear) may deform too. Without marks a joint with a word
 * of a mechanism is excluded if one without coincides with it.
 */
export function deformingJoints(skeleton: Skeleton): DeformingJoints {
  const words = skeleton.names.map(jointWords);
  const marked = words.map(([first]) => MARKS.has(first));
  const mechanism = words.map(([first]) => MECHANISM.has(first));
  const affixed = words.map((list) => list.length > 1 && list.some((word) => AFFIXES.has(word)));
  const hasMarks = marked.filter(Boolean).length >= MIN_MARKS;
  const plain = affixed.map((is, joint) => !is && !mechanism[joint]);
  const twinOf = coincidentJoints(skeleton, (joint) => (hasMarks ? marked : plain)[joint]);
  const deforming = Uint8Array.from(words, (list, joint) => {
    if (hasMarks && marked[joint]) return 1;
    if (mechanism[joint]) return 0;
    if (!hasMarks) return affixed[joint] && twinOf(joint) >= 0 ? 0 : 1;
    if (affixed[joint] || list.some((word) => ROOTS.has(word))) return 0;
    return twinOf(joint) >= 0 ? 0 : 1;
  });
  const left = deforming.filter((is) => is === 1).length;
  if (left === 0 || left === deforming.length) return { deforming: deforming.fill(1) };
  return { convention: conventionOf(skeleton, hasMarks), deforming };
}

function conventionOf({ names }: Skeleton, hasMarks: boolean): string {
  const some = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (some(/^(ORG|MCH)[-_.]/)) return "Rigify";
  if (some(/_stretch\b|_nostr\b/) && some(/^c_/)) return "Auto-Rig Pro";
  if (some(/^(FKX|IKX)/)) return "Advanced Skeleton";
  return hasMarks ? "joints marked as deforming" : "joints named as helpers";
}

/**
 * Returns a function that finds another joint at the position of a joint, among those that `isWanted`
 * accepts; -1 if there is none. It lists no neighbors: a file may have thousands of joints at one position.
 */
function coincidentJoints(
  skeleton: Skeleton,
  isWanted: (joint: number) => boolean,
): (joint: number) => number {
  const { positions } = skeleton;
  const near = SAME_POSITION * (sizeOf(positions) || 1);
  const x = (joint: number) => positions[joint * 3];
  // Sorted along x, only the next few can be near.
  const order = Array.from({ length: jointCount(skeleton) }, (_, joint) => joint)
    .filter(isWanted)
    .sort((a, b) => x(a) - x(b));
  return (joint) => {
    for (let i = firstFrom(order, (other) => x(joint) - x(other) <= near); i < order.length; i++) {
      const other = order[i];
      if (x(other) - x(joint) > near) return -1;
      if (other !== joint && distanceOf(positions, joint, other) <= near) return other;
    }
    return -1;
  };
}

/** Returns the index of the first entry that passes a test which all later ones pass too. */
function firstFrom(list: number[], passes: (entry: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Joints this many times farther from the median than most are outliers. */
const OUTLIER = 30;
/** The longest side of the joints' bounding box, without outliers. */
function sizeOf(positions: Float32Array): number {
  const middle = [0, 1, 2].map((axis) => median(positions.filter((_, i) => i % 3 === axis)));
  const away = Float64Array.from({ length: positions.length / 3 }, (_, joint) =>
    Math.max(...middle.map((value, axis) => Math.abs(positions[joint * 3 + axis] - value))),
  );
  // Most joints may coincide.
  const max = OUTLIER * median(away) || Infinity;
  return longestSide(boundsOf(positions.filter((_, i) => away[Math.floor(i / 3)] <= max)));
}

function median(values: Float32Array | Float64Array): number {
  return values.slice().sort()[values.length >> 1];
}

/** A skeleton of a subset of another's joints. */
export interface PartSkeleton {
  skeleton: Skeleton;
  joints: Int32Array;
}

/**
 * Returns the skeleton of the deforming joints: the parent of a joint is its nearest deforming ancestor, or
 * the deforming joint that coincides with a non-deforming ancestor (DEF-hand below ORG-forearm becomes
 * DEF-hand below DEF-forearm).
 */
export function deformSkeleton(skeleton: Skeleton, deforming: Uint8Array): PartSkeleton {
  const { parents } = skeleton;
  const joints = Int32Array.from(deforming.keys()).filter((joint) => deforming[joint] === 1);
  const twinOf = coincidentJoints(skeleton, (joint) => deforming[joint] === 1);
  const stand = Int32Array.from(parents, (_, joint) =>
    deforming[joint] === 1 ? joint : twinOf(joint),
  );
  const above = new Int32Array(parents.length).fill(-1);
  for (const joint of joints) above[joint] = parentOf(joint);
  const indexOf = new Map([...joints].map((joint, at) => [joint, at]));
  const rows = (list: Float32Array) =>
    Float32Array.from([...joints].flatMap((joint) => [...list.subarray(joint * 3, joint * 3 + 3)]));
  const ends = markedEnds(skeleton, deforming);
  return {
    joints,
    skeleton: {
      names: [...joints].map((joint) => skeleton.names[joint]),
      parents: joints.map((joint) => (above[joint] < 0 ? -1 : indexOf.get(above[joint])!)),
      positions: rows(skeleton.positions),
      ...(ends && { ends: rows(ends) }),
    },
  };

  function parentOf(joint: number): number {
    for (let at = parents[joint]; at >= 0; at = parents[at]) {
      const candidate = stand[at];
      if (candidate >= 0 && candidate !== joint && !isBelow(candidate, joint)) return candidate;
    }
    return -1;
  }

  function isBelow(joint: number, other: number): boolean {
    for (let at = joint; at >= 0; at = above[at]) if (at === other) return true;
    return false;
  }
}
