import {
  multiplyQuaternions,
  type Quaternion,
  quaternionFromAxisAngle,
  rotateVector,
  rotationBetween,
} from "../math/quaternion.ts";
import { add, cross, dot, length, scale, subtract, type Vec3 } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

const IDENTITY: Quaternion = [0, 0, 0, 1];

/** A pose under construction: rotations about bind-pose axes, as `forwardKinematics` takes them. */
export interface Poser {
  skeleton: Skeleton;
  /** J×4, and J×3; translations are relative to the parent, in bind-pose axes. */
  rotations: Float32Array;
  translations: Float32Array;
  /** Returns the total rotation of a joint from the bind pose. */
  total(joint: number): Quaternion;
  /** Returns the posed position of a joint. */
  position(joint: number): Vec3;
  /** Rotates a joint about an axis of the bind pose, on top of its rotation so far. */
  rotate(joint: number, axis: Vec3, radians: number): void;
  /** Sets the total rotation of a joint, whatever its ancestors do. */
  setTotal(joint: number, rotation: Quaternion): void;
  /** Turns the direction from a joint to another, in the bind pose, to a direction in the posed world. */
  aim(joint: number, toward: number, direction: Vec3): void;
  /** Moves a joint relative to its parent. */
  move(joint: number, by: Vec3): void;
}

/** Starts with the bind pose. */
export function createPoser(skeleton: Skeleton): Poser {
  const { parents, positions } = skeleton;
  const J = parents.length;
  const rotations = Float32Array.from({ length: J * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0));
  const translations = new Float32Array(J * 3);
  const own = (joint: number): Quaternion => [
    rotations[joint * 4],
    rotations[joint * 4 + 1],
    rotations[joint * 4 + 2],
    rotations[joint * 4 + 3],
  ];
  const rest = (joint: number): Vec3 => [
    positions[joint * 3],
    positions[joint * 3 + 1],
    positions[joint * 3 + 2],
  ];
  const total = (joint: number): Quaternion =>
    joint < 0 ? IDENTITY : multiplyQuaternions(total(parents[joint]), own(joint));
  const position = (joint: number): Vec3 => {
    const parent = parents[joint];
    const shift: Vec3 = [
      translations[joint * 3],
      translations[joint * 3 + 1],
      translations[joint * 3 + 2],
    ];
    if (parent < 0) return add(rest(joint), shift);
    const arm = add(subtract(rest(joint), rest(parent)), shift);
    return add(position(parent), rotateVector(total(parent), arm));
  };
  const setTotal = (joint: number, rotation: Quaternion) => {
    rotations.set(multiplyQuaternions(inverse(total(parents[joint])), rotation), joint * 4);
  };
  return {
    skeleton,
    rotations,
    translations,
    total,
    position,
    setTotal,
    rotate(joint, axis, radians) {
      const turned = multiplyQuaternions(quaternionFromAxisAngle(axis, radians), own(joint));
      rotations.set(turned, joint * 4);
    },
    aim(joint, toward, direction) {
      const from = subtract(rest(toward), rest(joint));
      setTotal(joint, rotationBetween(from, direction));
    },
    move(joint, by) {
      for (let axis = 0; axis < 3; axis++) translations[joint * 3 + axis] += by[axis];
    },
  };
}

/** Returns the inverse of a unit quaternion. */
export function inverse([x, y, z, w]: Quaternion): Quaternion {
  return [-x, -y, -z, w];
}

/** A point that moves with a joint: the joint itself, or one at an offset in the bind pose. */
export interface LimbEnd {
  joint: number;
  offset: Vec3;
}

/** Returns the posed position of the end of a limb. */
export function endPosition(poser: Poser, { joint, offset }: LimbEnd): Vec3 {
  return add(poser.position(joint), rotateVector(poser.total(joint), offset));
}

/** A joint of a limb and the axis, in the bind pose, about which it may rotate. */
export interface Hinge {
  joint: number;
  axis: Vec3;
  /** Angle at which the search starts, in radians. */
  start: number;
  min: number;
  max: number;
}

const ITERATIONS = 24;
/** Damping of a step, in squared limb lengths. */
const DAMPING = 1e-3;

/**
 * Rotates the hinges of a limb so that its end reaches a point, and returns the remaining distance.
 *
 * Damped least squares (Wampler 1986) over the angles; hinges start from `start`, so that a straight limb
 * knows which way to bend.
 */
export function reach(poser: Poser, hinges: Hinge[], end: LimbEnd, goal: Vec3): number {
  const angles = hinges.map(({ start }) => start);
  const before = hinges.map(({ joint }) => poser.rotations.slice(joint * 4, joint * 4 + 4));
  const size = length(subtract(endPosition(poser, end), poser.position(hinges[0].joint))) || 1;
  const apply = () => {
    // A joint may have several hinges.
    for (const [i, { joint }] of hinges.entries()) poser.rotations.set(before[i], joint * 4);
    for (const [i, { joint, axis }] of hinges.entries()) poser.rotate(joint, axis, angles[i]);
  };
  let error: Vec3 = [0, 0, 0];
  for (let round = 0; round < ITERATIONS; round++) {
    apply();
    const tip = endPosition(poser, end);
    error = subtract(goal, tip);
    if (length(error) < 1e-4 * size) break;
    const columns = hinges.map(({ joint, axis }) => {
      const parent = poser.skeleton.parents[joint];
      const turned = parent < 0 ? axis : rotateVector(poser.total(parent), axis);
      return cross(turned, subtract(tip, poser.position(joint)));
    });
    const step = dampedStep(columns, error, DAMPING * size * size);
    hinges.forEach(({ min, max }, i) => {
      angles[i] = Math.min(max, Math.max(min, angles[i] + Math.min(0.5, Math.max(-0.5, step[i]))));
    });
  }
  apply();
  return length(subtract(goal, endPosition(poser, end)));
}

/** Jᵀ (J Jᵀ + damping)⁻¹ e, for columns of J. */
function dampedStep(columns: Vec3[], error: Vec3, damping: number): number[] {
  const m = [damping, 0, 0, 0, damping, 0, 0, 0, damping];
  for (const column of columns) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) m[r * 3 + c] += column[r] * column[c];
    }
  }
  const [a, b, c]: Vec3[] = [
    [m[0], m[3], m[6]],
    [m[1], m[4], m[7]],
    [m[2], m[5], m[8]],
  ];
  // Cramer's rule.
  const whole = dot(a, cross(b, c)) || 1;
  const solved: Vec3 = [
    dot(error, cross(b, c)) / whole,
    dot(a, cross(error, c)) / whole,
    dot(a, cross(b, error)) / whole,
  ];
  return columns.map((column) => dot(column, solved));
}

/** Returns a · s + b · t. */
export function mix(a: Vec3, s: number, b: Vec3, t: number): Vec3 {
  return add(scale(a, s), scale(b, t));
}
