import { mean } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** Share of the joints that must be known by name: one head does not say where on a body a vertex is. */
const NAMED = 0.5;
/** Bodies are of one kind up to this difference of their joints' places, dinosaurs and their like ... */
const SAME_KIND = 0.3;
/** ... and from this on have nothing but names in common, as a rat and a spider made with one tool. */
const OTHER_KIND = 0.5;
/** Joints that are compared by place; more say the same. */
const COMPARED = 60;

/** How far a skeleton is of the kind of another, by names and places of joints: 0 for a stranger, 1 for kin. */
export function kinship(skeleton: Skeleton, other: Skeleton): number {
  const place = new Map(other.names.map((name, joint) => [name, joint]));
  const pairs = skeleton.names.flatMap((name, joint): [number, number][] =>
    place.has(name) ? [[joint, place.get(name)!]] : [],
  );
  const named = pairs.length / Math.max(1, skeleton.names.length);
  const kind = (OTHER_KIND - bodyDifference(skeleton, other, pairs)) / (OTHER_KIND - SAME_KIND);
  return Math.min(1, named / NAMED) * Math.min(1, Math.max(0, kind));
}

/**
 * Mean difference of the distances between joints, as shares of their mean: whatever way a body is turned,
 * and however large. Two humans are 0.05 apart, two dinosaurs 0.3, a whale and a tree 0.7.
 *
 * @param pairs joints of the one and of the other that correspond
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

/** Distances of joints to each other; of many joints, of some of them. */
export function jointDistances({ positions }: Skeleton, joints: number[]): number[] {
  const stride = Math.ceil(joints.length / COMPARED);
  const compared = joints.filter((_, i) => i % stride === 0);
  return compared.flatMap((joint, i) =>
    compared.slice(0, i).map((before) => distanceOf(positions, joint, before)),
  );
}
