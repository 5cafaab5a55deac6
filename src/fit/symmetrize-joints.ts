import { boundsOf } from "../math/aabb.ts";
import { mean } from "../math/arrays.ts";
import { jointPairs } from "../skeleton/joint-pairs.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { RegisterTarget } from "./match-points.ts";

/** A body or skeleton whose halves differ by less than this, in longest sides, is symmetric. */
const SYMMETRIC = 0.012;
/** Joints mirror each other within this distance. */
const SAME_JOINT = 0.03;
/** Distance that counts for a point whose mirror image is far from the surface. */
const FAR = 0.15;

/**
 * Makes fitted joints symmetric about x, in place, if both the skeleton they come from and the body are.
 *
 * @param source before it was fitted
 * @param joints J×3, fitted, in longest sides of the body
 */
export function symmetrizeJoints(
  source: Skeleton,
  target: RegisterTarget,
  joints: Float32Array,
): void {
  const twins = twinsOf(source);
  if (!twins) return;
  const bounds = boundsOf(target.points);
  const halves = [...twins.keys()]
    .filter((j) => twins[j] > j)
    .map((j) => (joints[j * 3] + joints[twins[j] * 3]) / 2);
  const planes = [median(halves), (bounds.min[0] + bounds.max[0]) / 2, 0];
  const gaps = planes.map((plane) => mirrorGap(target, plane));
  const best = gaps.indexOf(Math.min(...gaps));
  if (gaps[best] > SYMMETRIC) return;
  for (let j = 0; j < twins.length; j++) {
    const t = twins[j];
    if (t < j) continue;
    const half = (joints[j * 3] - joints[t * 3]) / 2;
    joints[j * 3] = planes[best] + half;
    joints[t * 3] = planes[best] - half;
    for (const axis of [1, 2]) {
      joints[j * 3 + axis] = (joints[j * 3 + axis] + joints[t * 3 + axis]) / 2;
      joints[t * 3 + axis] = joints[j * 3 + axis];
    }
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

/** The mirror images of the joints; undefined if the skeleton is not symmetric about x. */
function twinsOf(source: Skeleton): Int32Array | undefined {
  const { positions } = source;
  const box = boundsOf(positions);
  const middle = (box.min[0] + box.max[0]) / 2;
  const twins = jointPairs(source, { axis: 0, offset: middle }, SAME_JOINT);
  const pairs = [...twins.keys()].filter((j) => twins[j] > j);
  if (pairs.length < 2) return undefined;
  const plane = median(pairs.map((j) => (positions[j * 3] + positions[twins[j] * 3]) / 2));
  const gaps = pairs.map((j) => {
    const t = twins[j];
    return Math.hypot(
      positions[j * 3] + positions[t * 3] - 2 * plane,
      positions[j * 3 + 1] - positions[t * 3 + 1],
      positions[j * 3 + 2] - positions[t * 3 + 2],
    );
  });
  return mean(gaps) > SYMMETRIC ? undefined : twins;
}

/** Mean distance of mirrored samples from the surface. */
function mirrorGap({ points, normals, closest }: RegisterTarget, plane: number): number {
  const gaps: number[] = [];
  // Every third sample is enough.
  for (let i = 0; i < points.length; i += 9) {
    const [x, y, z] = [2 * plane - points[i], points[i + 1], points[i + 2]];
    const found = closest(x, y, z, Float64Array.of(-normals[i], normals[i + 1], normals[i + 2]));
    gaps.push(found ? Math.hypot(found[0] - x, found[1] - y, found[2] - z) : FAR);
  }
  return mean(gaps);
}
