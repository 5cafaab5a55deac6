import { type Aabb, longestSide } from "../math/aabb.ts";
import type { Vec3 } from "../math/vec3.ts";
import { HABITS } from "./artist-habits-table.ts";

/** The kinds of bodies whose joints are corrected. */
export type HabitKind = keyof typeof HABITS;

/** What the correction of a kind moves, and what it depends on. */
interface HabitSpec {
  /** Joints that are corrected, on the left or in the middle; right ones mirror them. */
  joints: readonly string[];
  /** Coordinates that a correction depends on: a joint and its axes. */
  features: readonly (readonly [joint: string, axes: string])[];
  /** Joints between hips and neck that go along with them. */
  between?: RegExp;
}

/** Specifications by kind; bipeds in heights, quadrupeds in longest sides. */
export const HABIT_SPECS: Record<HabitKind, HabitSpec> = {
  biped: {
    joints: [
      "hips",
      "neck",
      "head",
      "shoulder.L",
      "upperArm.L",
      "lowerArm.L",
      "hand.L",
      "upperLeg.L",
      "lowerLeg.L",
      "foot.L",
      "toe.L",
    ],
    features: [
      ["hips", "y"],
      ["neck", "yz"],
      ["head", "yz"],
      ["upperArm.L", "xy"],
      ["lowerArm.L", "xy"],
      ["hand.L", "xyz"],
      ["upperLeg.L", "xy"],
      ["lowerLeg.L", "xyz"],
      ["foot.L", "xz"],
      ["toe.L", "xz"],
    ],
    between: /^(spine\d?|chest)$/,
  },
  quadruped: {
    joints: [
      "hips",
      "neck",
      "head",
      "frontUpper.L",
      "frontLower.L",
      "frontFoot.L",
      "hindUpper.L",
      "hindLower.L",
      "hindFoot.L",
    ],
    features: [
      ["hips", "yz"],
      ["neck", "yz"],
      ["head", "yz"],
      ["frontUpper.L", "xyz"],
      ["frontLower.L", "xyz"],
      ["frontFoot.L", "xyz"],
      ["hindUpper.L", "xyz"],
      ["hindLower.L", "xyz"],
      ["hindFoot.L", "xyz"],
    ],
  },
};

/** Joints by name, in the units of {@link bodyUnits}. */
type NamedPoints = (name: string) => Vec3;

/** The unit of a kind: the height of a biped, the longest side of a quadruped. */
function unitOf(kind: HabitKind, box: Aabb): number {
  return (kind === "biped" ? box.max[1] - box.min[1] : longestSide(box)) || 1;
}

/** Returns 1, the coordinates that a correction depends on, and the sides of the box. */
export function habitFeatures(kind: HabitKind, at: NamedPoints, box: Aabb): number[] {
  const unit = unitOf(kind, box);
  return [
    1,
    ...HABIT_SPECS[kind].features.flatMap(([name, axes]) =>
      [...axes].map((axis) => at(name)["xyz".indexOf(axis)]),
    ),
    ...box.max.map((value, axis) => (value - box.min[axis]) / unit),
  ];
}

/** Points of a body relative to the middle of the floor of its box, in units of its kind, and back. */
export function bodyUnits(kind: HabitKind, box: Aabb) {
  const unit = unitOf(kind, box);
  const { min, max } = box;
  const middle: Vec3 = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  return {
    to: (p: ArrayLike<number>): Vec3 =>
      [0, 1, 2].map((axis) => (p[axis] - middle[axis]) / unit) as Vec3,
    from: (p: Vec3): Vec3 => p.map((value, axis) => value * unit + middle[axis]) as Vec3,
  };
}

/** Angle of a raised arm below the horizontal, in degrees, and how far it may point forwards. */
const ARMS = { from: -20, to: 65, forwards: 0.5 };

/** Whether an arm is in a T or A pose, in which habits are known. */
export function isArmSpread(upper: Vec3, hand: Vec3): boolean {
  const [x, y, z] = hand.map((value, axis) => value - upper[axis]);
  const degrees = (Math.atan2(-y, Math.abs(x)) * 180) / Math.PI;
  const forwards = Math.abs(z) / (Math.hypot(x, y) || 1);
  return degrees > ARMS.from && degrees < ARMS.to && forwards < ARMS.forwards;
}

/** Largest correction: beyond, the body is unlike those it was learned from. */
const LARGEST = 0.08;

/**
 * Moves the joints of a fitted template to where artists put them: shoulders of a biped in T or A pose further
 * in, hips further down. The correction is linear in the fitted joints; `npm run bench fit-habits` learns it.
 *
 * @param joints of the template, symmetric; changed in place
 */
export function followHabits(
  kind: HabitKind,
  joints: Vec3[],
  names: readonly string[],
  box: Aabb,
): void {
  const { to, from } = bodyUnits(kind, box);
  const at: NamedPoints = (name) => to(joints[names.indexOf(name)]);
  if (kind === "biped" && !isArmSpread(at("upperArm.L"), at("hand.L"))) return;
  const features = habitFeatures(kind, at, box);
  const spec = HABIT_SPECS[kind];
  const before = ["hips", "neck"].map(at);
  spec.joints.forEach((name, row) => {
    const joint = at(name);
    const shift = [0, 1, 2].map((axis) => {
      const coefficients = HABITS[kind][row * 3 + axis];
      return features.reduce((sum, value, i) => sum + value * coefficients[i], 0);
    });
    const length = Math.hypot(...shift);
    const factor = length > LARGEST ? LARGEST / length : 1;
    const moved = joint.map((value, axis) => value + factor * shift[axis]) as Vec3;
    joints[names.indexOf(name)] = from(moved);
    const other = names.indexOf(name.replace(/L$/, "R"));
    if (name.endsWith(".L")) joints[other] = from([-moved[0], moved[1], moved[2]]);
  });
  // The joints between hips and neck move with them, in proportion.
  const [bottom, top] = ["hips", "neck"].map((name, i) =>
    at(name).map((value, axis) => value - before[i][axis]),
  );
  const [low, high] = before.map((point) => point[1]);
  names.forEach((name, joint) => {
    if (!spec.between?.test(name)) return;
    const own = at(name);
    const t = Math.min(1, Math.max(0, (own[1] - low) / (high - low || 1)));
    joints[joint] = from(
      own.map((value, d) => value + bottom[d] + t * (top[d] - bottom[d])) as Vec3,
    );
  });
}
