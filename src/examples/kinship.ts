import { mean } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** Fraction of the joints that must match by name: one head does not locate a vertex on a body. */
const NAMED = 0.5;
/** Bodies are of one kind up to this difference of their joint distances (two dinosaurs) ... */
const SAME_KIND = 0.3;
/** ... and unrelated from this on, even with the same joint names (a rat and a spider from one tool). */
const OTHER_KIND = 0.5;
/** Maximum joints compared by position. */
const COMPARED = 60;

/** Returns the similarity of two skeletons by names and positions of joints: 0 unrelated, 1 the same kind. */
export function kinship(skeleton: Skeleton, other: Skeleton): number {
  const indexOf = new Map(other.names.map((name, joint) => [name, joint]));
  const pairs = skeleton.names.flatMap((name, joint): [number, number][] =>
    indexOf.has(name) ? [[joint, indexOf.get(name)!]] : [],
  );
  const named = pairs.length / Math.max(1, skeleton.names.length);
  const kind = (OTHER_KIND - bodyDifference(skeleton, other, pairs)) / (OTHER_KIND - SAME_KIND);
  return Math.min(1, named / NAMED) * Math.min(1, Math.max(0, kind));
}

/**
 * Mean difference of the distances between joints, relative to their mean: independent of rotation and scale.
 * Two humans differ by 0.05, two dinosaurs by 0.3, a whale and a tree by 0.7.
 *
 * @param pairs corresponding joints of both
 */
function bodyDifference(one: Skeleton, other: Skeleton, pairs: [number, number][]): number {
  const [a, b] = [one, other].map((skeleton, side) =>
    jointDistances(
      skeleton,
      pairs.map((pair) => pair[side]),
    ),
  );
  const [meanA, meanB] = [mean(a), mean(b)];
  if (!(meanA > 0 && meanB > 0)) return 0;
  return mean(a.map((length, i) => Math.abs(length / meanA - b[i] / meanB)));
}

/** Returns the pairwise distances of joints; of a sample if there are many. */
export function jointDistances({ positions }: Skeleton, joints: number[]): number[] {
  const stride = Math.ceil(joints.length / COMPARED);
  const compared = joints.filter((_, i) => i % stride === 0);
  return compared.flatMap((joint, i) =>
    compared.slice(0, i).map((before) => distanceOf(positions, joint, before)),
  );
}
