import { composeMat4, product } from "../../math/mat4.ts";
import {
  multiplyQuaternions,
  type Quaternion,
  quaternionFromMat4,
  rotateVector,
  rotationBetween,
} from "../../math/quaternion.ts";
import { add, length, normalize, subtract, type Vec3 } from "../../math/vec3.ts";
import { childrenOf, parentsFirst, withPositions } from "../../skeleton/skeleton.ts";
import type { Rig } from "./bind-space.ts";

/** Bones shorter than this fraction of the skeleton have no direction. */
const POINT = 1e-3;
/** Children whose mean direction is shorter than this point different ways. */
const FAN = 0.7;

/**
 * Moves the joints of a rig to other positions and turns their frames with the bones, by the smallest rotation,
 * so that axes and roll relative to the bone stay and animations still fit.
 *
 * The frames of joints with children in different directions, such as hips, are turned with their parent only.
 *
 * @param positions J×3
 * @param rotation rows of a rotation that all frames take part in first
 */
export function movedRig(
  { skeleton, bindMatrices }: Rig,
  positions: Float32Array,
  rotation?: number[][],
): Rig {
  const children = childrenOf(skeleton);
  const all = rotation ? quaternionOfRows(rotation) : ([0, 0, 0, 1] as Quaternion);
  const turns: Quaternion[] = new Array(bindMatrices.length);
  const directions = (points: Float32Array, joint: number): Vec3[] =>
    children[joint].map((child) =>
      subtract(
        points.subarray(child * 3, child * 3 + 3),
        points.subarray(joint * 3, joint * 3 + 3),
      ),
    );
  const size = spanOf(skeleton.positions);
  for (const joint of parentsFirst(skeleton)) {
    const parent = skeleton.parents[joint];
    const above = parent < 0 ? all : turns[parent];
    const old = meanDirection(directions(skeleton.positions, joint), POINT * size);
    const now = meanDirection(directions(positions, joint), 0);
    if (!old || !now) {
      turns[joint] = above;
      continue;
    }
    turns[joint] = multiplyQuaternions(rotationBetween(rotateVector(above, old), now), above);
  }
  return {
    skeleton: withPositions(skeleton, positions),
    bindMatrices: bindMatrices.map((bind, joint) => {
      const linear = [...bind.slice(0, 12), 0, 0, 0, 1];
      const turned = product(composeMat4([0, 0, 0], turns[joint]), linear);
      return [...turned.slice(0, 12), ...positions.subarray(joint * 3, joint * 3 + 3), 1];
    }),
    nodes: new Int32Array(bindMatrices.length).fill(-1),
  };
}

/** The mean of directions that agree; undefined for a leaf, and for children in different directions. */
function meanDirection(directions: Vec3[], min: number): Vec3 | undefined {
  const long = directions.filter((direction) => length(direction) > min);
  if (long.length === 0) return undefined;
  const sum = long.map(normalize).reduce(add);
  return length(sum) < FAN * long.length ? undefined : sum;
}

function spanOf(positions: Float32Array): number {
  let span = 0;
  for (const axis of [0, 1, 2]) {
    const values = positions.filter((_, i) => i % 3 === axis);
    span = Math.max(span, Math.max(...values) - Math.min(...values));
  }
  return span;
}

function quaternionOfRows(rows: number[][]): Quaternion {
  const column = (axis: number) => [...rows.map((row) => row[axis]), 0];
  return quaternionFromMat4([...column(0), ...column(1), ...column(2), 0, 0, 0, 1]);
}
