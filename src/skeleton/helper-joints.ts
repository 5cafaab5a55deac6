import { InputError } from "../input-error.ts";
import { childrenOf, endOf, jointCount, parentsFirst, type Skeleton } from "./skeleton.ts";

/** A joint that deforms the skin. */
export const ORDINARY = 0;
/** The end of a chain, which gives the last bone a length; its weights belong to its parent. */
export const END_MARKER = 1;
/** A target, pole or handle of a rig, which moves no vertex. */
export const CONTROL = 2;

// Leaves called "tip" or "leaf" are not markers: most of them carry weight in training data.
const END_WORDS = new Set("end nub site effector eff".split(" "));
const CONTROL_WORDS = new Set(
  "ik pole target ctrl control controller pt special handle helper".split(" "),
);

/**
 * Finds joints that are not meant to move vertices, by their names and their position in the hierarchy.
 *
 * An end marker is a leaf with a parent; a control is a joint with only controls below it (inner joints with
 * "IK" in their name do carry weight). If only helpers were left, all joints are ordinary.
 *
 * @returns J, {@link ORDINARY}, {@link END_MARKER} or {@link CONTROL}
 */
export function helperJoints(skeleton: Skeleton): Uint8Array {
  const children = childrenOf(skeleton);
  const kinds = new Uint8Array(jointCount(skeleton));
  for (const joint of parentsFirst(skeleton).reverse()) {
    kinds[joint] = kindOf(skeleton, joint, children[joint], kinds);
  }
  return kinds.includes(ORDINARY) ? kinds : new Uint8Array(kinds.length);
}

function kindOf(
  { names, parents }: Skeleton,
  joint: number,
  children: number[],
  kinds: Uint8Array,
): number {
  const words = jointWords(names[joint]);
  const onlyControls = children.every((child) => kinds[child] === CONTROL);
  if (onlyControls && words.some((word) => CONTROL_WORDS.has(word))) return CONTROL;
  const isLeaf = children.length === 0 && parents[joint] >= 0;
  return isLeaf && words.some((word) => END_WORDS.has(word)) ? END_MARKER : ORDINARY;
}

/**
 * Returns the ends of the bones of some joints (J×3, see `Skeleton.ends`): stated ones, or else those of end markers
 * among their children; undefined if there are none.
 *
 * @param kept J, 1 for joints that need an end only if no child of theirs is kept
 */
export function markedEnds(skeleton: Skeleton, kept: ArrayLike<number>): Float32Array | undefined {
  const ends = skeleton.positions.slice();
  const kinds = helperJoints(skeleton);
  let hasAny = false;
  childrenOf(skeleton).forEach((children, joint) => {
    if (kept[joint] !== 1 || children.some((child) => kept[child] === 1)) return;
    const marker = children.find((child) => kinds[child] === END_MARKER);
    const stated = endOf(skeleton, joint);
    const marked = marker !== undefined && skeleton.positions.subarray(marker * 3, marker * 3 + 3);
    const end = stated ?? (marked || undefined);
    if (!end) return;
    ends.set(end, joint * 3);
    hasAny = true;
  });
  return hasAny ? ends : undefined;
}

/** Whether a name is that of a node that marks the end of a bone: `Head_end`, `Bip01 HeadNub`, `finger_tip`. */
export function isEndName(name: string): boolean {
  return jointWords(name).some((word) => END_WORDS.has(word) || word === "tip" || word === "leaf");
}

/** Splits a name into words in lower case: `HeadTop_End` has head, top and end. */
export function jointWords(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

/**
 * Finds joints by name: exactly, or else ignoring case; `*` matches anything (`finger*`).
 *
 * Throws `InputError` for a name that matches no joint.
 *
 * @param what the purpose of the joints, as a verb: "lock"
 * @returns J, 1 for each joint found
 */
export function findJoints(patterns: string[], { names }: Skeleton, what: string): Uint8Array {
  const found = new Uint8Array(names.length);
  for (const pattern of patterns) {
    const exact = names.flatMap((name, joint) => (name === pattern ? [joint] : []));
    const alike = exact.length > 0 ? exact : matching(names, pattern, "u");
    const joints = alike.length > 0 ? alike : matching(names, pattern, "iu");
    if (joints.length === 0) {
      throw new InputError(`There is no joint "${pattern}" to ${what}; check the joint names.`);
    }
    for (const joint of joints) found[joint] = 1;
  }
  return found;
}

function matching(names: string[], pattern: string, flags: string): number[] {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const test = new RegExp(`^${parts.join(".*")}$`, flags);
  return names.flatMap((name, joint) => (test.test(name) ? [joint] : []));
}
