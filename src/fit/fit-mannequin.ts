import { boundsOf, longestSide } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { bodyCentrality, centralityAt } from "./body-centrality.ts";
import { boxMapped } from "./box-placement.ts";
import { JOINTS, POINTS } from "./mannequin-table.ts";
import { CLOSE_TERMS, FAR_TERMS, matchResidual, registerTarget } from "./match-points.ts";
import { registerCharacter } from "./register-character.ts";
import { sampleSurface } from "./surface-samples.ts";
import { symmetrizeJoints } from "./symmetrize-joints.ts";

/** Joints with weight on a point of the mannequin. */
const INFLUENCES = 4;
/** Residual up to which the mannequin covers a body better than the template, in squared longest sides. */
const COVERED = 160e-4;
const STIFF: [number, number] = [30, 3];

/**
 * Fits the skeleton of a quadruped into a mesh that faces +z: deforms a mannequin, whose joints are where artists
 * put them on average, until it covers the body.
 *
 * @param skeleton with the joints of the template
 * @param covered residual up to which the mannequin covers the body, in squared longest sides
 * @returns J×3; undefined if the mannequin does not cover the body
 */
export function fitMannequin(
  mesh: Mesh,
  skeleton: Skeleton,
  covered: number = COVERED,
): Float32Array | undefined {
  const box = boundsOf(mesh.positions);
  const size = longestSide(box) || 1;
  const goal = { ...mesh, positions: mesh.positions.map((value) => value / size) };
  const { points, normals } = sampleSurface(goal, POINTS.length, 2);
  const target = registerTarget(goal, { points, normals }, (list) =>
    centralityAt(bodyCentrality(goal), list),
  );
  const starts = startsIn(goal, skeleton);
  const far = starts.map((start) => matchResidual(start, target, FAR_TERMS));
  const start = starts[far[0] < far[1] ? 0 : 1];
  const found = registerCharacter(start, target, { stiff: STIFF });
  if (found.residual > Math.min(covered, matchResidual(start, target, CLOSE_TERMS)))
    return undefined;
  const joints = Float32Array.from(found.joints);
  symmetrizeJoints(start.skeleton, target, joints);
  return joints.map((value) => value * size);
}

/** The mannequin on the floor in the middle of a body, and in its bounding box. */
function startsIn(goal: Mesh, skeleton: Skeleton) {
  const to = boundsOf(goal.positions);
  const own = Float32Array.from(POINTS.flatMap((point) => point.slice(0, 3)));
  const joints = jointsInOrder(skeleton);
  const from = boundsOf(own);
  const middle = [(to.min[0] + to.max[0]) / 2, to.min[1], (to.min[2] + to.max[2]) / 2];
  const placed = (list: Float32Array) => list.map((value, i) => value + middle[i % 3]);
  const boxed = (list: Float32Array) => boxMapped(list, from, to);
  const rest = {
    normals: Float64Array.from(POINTS.flatMap((point) => point.slice(3, 6))),
    centrality: Float64Array.from(POINTS, (point) => point[6]),
    ...weightsInOrder(skeleton),
  };
  return [placed, boxed].map((map) => ({
    ...rest,
    points: Float64Array.from(map(own)),
    skeleton: { ...skeleton, positions: map(joints) },
  }));
}

function jointsInOrder({ names }: Skeleton): Float32Array {
  const known = new Map(JOINTS.map(([name, ...at]) => [name, at]));
  return Float32Array.from(names.flatMap((name) => known.get(name) ?? [0, 0, 0]));
}

function weightsInOrder({ names }: Skeleton) {
  const order = JOINTS.map(([name]) => names.indexOf(name));
  const joints = new Int32Array(POINTS.length * INFLUENCES);
  const weights = new Float64Array(POINTS.length * INFLUENCES);
  POINTS.forEach((point, i) => {
    for (let k = 7; k < point.length; k += 2) {
      const slot = i * INFLUENCES + (k - 7) / 2;
      joints[slot] = order[point[k]];
      weights[slot] = point[k + 1];
    }
    const slots = weights.subarray(i * INFLUENCES, (i + 1) * INFLUENCES);
    const sum = slots.reduce((total, value) => total + value, 0);
    slots.forEach((value, k) => {
      slots[k] = value / sum;
    });
  });
  return { influences: INFLUENCES, joints, weights };
}
