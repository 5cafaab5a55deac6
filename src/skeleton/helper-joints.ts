import { jointWords } from "./joint-words.ts";
import { parentsFirst } from "./parents-first.ts";
import { childrenOf, jointCount, type Skeleton } from "./skeleton.ts";

/** A joint that takes part in the skin. */
export const ORDINARY = 0;
/** The end of a chain, there to give the last bone a length; what it moves is its parent's. */
export const END_MARKER = 1;
/** A target, pole or handle of a rig, which moves no vertex itself. */
export const CONTROL = 2;

// On 731 training characters 84 of 117 end markers found this way carry no weight, and 453 of 487
// controls; leaves called "tip" or "leaf" are no markers there (86 of 130 carry weight).
const END_WORDS = new Set("end nub site effector eff".split(" "));
const CONTROL_WORDS = new Set(
  "ik pole target ctrl control controller pt special handle helper".split(" "),
);

/**
 * Finds joints that are not meant to move vertices, by their names and their place in the hierarchy.
 *
 * An end marker is a leaf with a parent; a control is a joint below which there are only controls
 * (inner joints with "IK" in their name do carry weight). If nothing but helpers were left, all
 * joints are ordinary.
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
