import { boundsOf } from "../math/aabb.ts";
import type { NameFacts } from "./joint-names.ts";
import { jointPairs } from "./joint-pairs.ts";
import { longestPath, middleX, span } from "./limbs.ts";
import { childrenOf, jointCount, type Skeleton } from "./skeleton.ts";

/** Feet end in this lowest part of a skeleton. */
const LOW = 0.12;

/**
 * Returns facts for a skeleton without telling names, from its shape: chains in the middle are trunk and tail, paired
 * chains that reach down are legs, other paired chains arms.
 */
export function shapeFacts(skeleton: Skeleton): NameFacts[] {
  const { positions, parents } = skeleton;
  const J = jointCount(skeleton);
  const box = boundsOf(positions);
  const facts: NameFacts[] = Array.from({ length: J }, () => ({
    part: undefined,
    side: 0,
    end: 0,
    finger: -1,
  }));
  const plane = { axis: 0 as const, offset: middleX(positions, box.min[0], box.max[0]) };
  const twins = jointPairs(skeleton, plane, 0.03 * span(positions));
  const children = childrenOf(skeleton);
  const isMiddle = (joint: number) => twins[joint] === joint;
  const low = box.min[1] + LOW * (box.max[1] - box.min[1]);
  for (let joint = 0; joint < J; joint++) {
    const parent = parents[joint];
    if (parent < 0 || isMiddle(joint) || !isMiddle(parent) || twins[joint] < 0) continue;
    const path = longestPath(joint, () => true, children);
    if (path.length < 2) continue;
    const tip = path.at(-1)!;
    const isLeg = Math.min(...path.map((each) => positions[each * 3 + 1])) < low;
    const side = positions[tip * 3] > plane.offset ? 1 : -1;
    for (const each of path)
      facts[each] = { part: isLeg ? "leg" : "arm", side, end: 0, finger: -1 };
  }
  markMiddleChains(skeleton, facts, isMiddle, children);
  return facts;
}

/** The chain in the middle that ends highest or farthest in front is the trunk; one to the back is a tail. */
function markMiddleChains(
  skeleton: Skeleton,
  facts: NameFacts[],
  isMiddle: (joint: number) => boolean,
  children: number[][],
): void {
  const { positions, parents } = skeleton;
  const leaves = [...parents.keys()].filter(
    (joint) => isMiddle(joint) && !children[joint].some(isMiddle),
  );
  const score = (joint: number) => positions[joint * 3 + 1] + positions[joint * 3 + 2];
  leaves.sort((a, b) => score(b) - score(a));
  leaves.forEach((leaf, i) => {
    for (let at = leaf; at >= 0 && !facts[at].part; at = parents[at]) {
      facts[at].part = i > 0 ? "tail" : at === leaf ? "head" : "spine";
    }
  });
}
