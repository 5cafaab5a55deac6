import { boundsOf, longestSide } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import { jointWords } from "./helper-joints.ts";
import { jointCount, type Skeleton } from "./skeleton.ts";

/** Which joints of a rig move the skin, and how we know. */
export interface DeformingJoints {
  /** The rig's convention, in words for people; absent where all joints may deform. */
  convention?: string | undefined;
  /** J, 1 for a joint that may move vertices. */
  deforming: Uint8Array;
}

/** Words that mark the joints that deform. */
const MARKS = new Set("def deform bind bnd skin".split(" "));
/** Words of joints that move other joints; of 417 with such a first word none carries weight in training. */
const MECHANISM = new Set("mch tgt vis wgt".split(" "));
/** Words a joint shares with those it drives or copies, where another stands at the same place. */
const AFFIXES = new Set(
  "org ctrl c fk ik fkx ikx drv driver tweak target parent ref pole proxy nostr".split(" "),
);
const ROOTS = new Set("root master origin world global armature rig".split(" "));

/** Fewer marked joints than this may be called so by chance. */
const FEWEST_MARKS = 4;
/** Joints closer than this, of the skeleton's size, stand at one place. */
const SAME_PLACE = 2e-3;

/**
 * Tells the joints that move the skin from those of a control rig around them, by the names of rigs as
 * people bring them: Rigify's DEF-, ORG- and MCH-, the c_ and _fk of Auto-Rig Pro, the FKX and IKX of
 * Advanced Skeleton, and others that follow the same habits.
 *
 * Where some joints are marked as deforming, others are left out if they stand at the place of a marked
 * one, carry a word of a mechanism, or are a root; what is left (a sword, an ear) may deform too. Without
 * marks a joint with a word of a mechanism is left out where one without stands at its place.
 */
export function deformingJoints(skeleton: Skeleton): DeformingJoints {
  const words = skeleton.names.map(jointWords);
  const marked = words.map(([first]) => MARKS.has(first));
  const mechanism = words.map(([first]) => MECHANISM.has(first));
  const affixed = words.map((list) => list.length > 1 && list.some((word) => AFFIXES.has(word)));
  const hasMarks = marked.filter(Boolean).length >= FEWEST_MARKS;
  const plain = affixed.map((is, joint) => !is && !mechanism[joint]);
  const neighbors = jointsAtOnePlace(skeleton);
  const deforming = Uint8Array.from(words, (list, joint) => {
    if (hasMarks && marked[joint]) return 1;
    if (mechanism[joint]) return 0;
    if (!hasMarks) return affixed[joint] && neighbors[joint].some((other) => plain[other]) ? 0 : 1;
    const twin = neighbors[joint].some((other) => marked[other]);
    return twin || affixed[joint] || list.some((word) => ROOTS.has(word)) ? 0 : 1;
  });
  const left = deforming.filter((is) => is === 1).length;
  if (left === 0 || left === deforming.length) return { deforming: deforming.fill(1) };
  return { convention: conventionOf(skeleton, hasMarks), deforming };
}

/** What people call such a rig. */
function conventionOf({ names }: Skeleton, hasMarks: boolean): string {
  const some = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (some(/^(ORG|MCH)[-_.]/)) return "Rigify";
  if (some(/_stretch\b|_nostr\b/) && some(/^c_/)) return "Auto-Rig Pro";
  if (some(/^(FKX|IKX)/)) return "Advanced Skeleton";
  return hasMarks ? "joints marked as deforming" : "joints named as helpers";
}

/** For each joint the others at its place. */
function jointsAtOnePlace(skeleton: Skeleton): number[][] {
  const { positions } = skeleton;
  const near = SAME_PLACE * (sizeOf(positions) || 1);
  const count = jointCount(skeleton);
  const lists: number[][] = Array.from({ length: count }, () => []);
  const order = Array.from({ length: count }, (_, joint) => joint).sort(
    (a, b) => positions[a * 3] - positions[b * 3],
  );
  // Sorted along x, only the next few can be near.
  order.forEach((a, at) => {
    for (let i = at + 1; i < count && positions[order[i] * 3] - positions[a * 3] <= near; i++) {
      const b = order[i];
      if (distanceOf(positions, a, b) > near) continue;
      lists[a].push(b);
      lists[b].push(a);
    }
  });
  return lists;
}

/** Joints so many times farther from the middle than most are no measure of a skeleton. */
const LOST = 30;

/** The longest side of the box around the joints, but for those lost far away. */
function sizeOf(positions: Float32Array): number {
  const middle = [0, 1, 2].map((axis) => median(positions.filter((_, i) => i % 3 === axis)));
  const away = Float64Array.from({ length: positions.length / 3 }, (_, joint) =>
    Math.max(...middle.map((value, axis) => Math.abs(positions[joint * 3 + axis] - value))),
  );
  // Most joints may stand at one place.
  const most = LOST * median(away) || Infinity;
  return longestSide(boundsOf(positions.filter((_, i) => away[Math.floor(i / 3)] <= most)));
}

function median(values: Float32Array | Float64Array): number {
  return values.slice().sort()[values.length >> 1];
}

/** A skeleton of some of another's joints. */
export interface PartSkeleton {
  skeleton: Skeleton;
  /** The joint of the whole skeleton each of its joints is. */
  joints: Int32Array;
}

/**
 * The skeleton of the joints that deform, as one that was made for them alone: a joint hangs on the next one
 * above that deforms, or on the one at the place of a joint above that does not (DEF-hand on ORG-forearm
 * becomes DEF-hand on DEF-forearm).
 */
export function deformSkeleton(skeleton: Skeleton, deforming: Uint8Array): PartSkeleton {
  const { parents } = skeleton;
  const joints = Int32Array.from(deforming.keys()).filter((joint) => deforming[joint] === 1);
  const neighbors = jointsAtOnePlace(skeleton);
  const stand = Int32Array.from(parents, (_, joint) =>
    deforming[joint] === 1 ? joint : (neighbors[joint].find((n) => deforming[n] === 1) ?? -1),
  );
  const above = new Int32Array(parents.length).fill(-1);
  for (const joint of joints) above[joint] = parentOf(joint);
  const place = new Map([...joints].map((joint, at) => [joint, at]));
  return {
    joints,
    skeleton: {
      names: [...joints].map((joint) => skeleton.names[joint]),
      parents: joints.map((joint) => (above[joint] < 0 ? -1 : place.get(above[joint])!)),
      positions: Float32Array.from(
        [...joints].flatMap((joint) => [...skeleton.positions.subarray(joint * 3, joint * 3 + 3)]),
      ),
    },
  };

  function parentOf(joint: number): number {
    for (let at = parents[joint]; at >= 0; at = parents[at]) {
      const candidate = stand[at];
      if (candidate >= 0 && candidate !== joint && !hangsOn(candidate, joint)) return candidate;
    }
    return -1;
  }

  /** Whether a joint already stands below another. */
  function hangsOn(joint: number, other: number): boolean {
    for (let at = joint; at >= 0; at = above[at]) if (at === other) return true;
    return false;
  }
}
