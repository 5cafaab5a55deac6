import type { Aabb } from "../math/aabb.ts";
import type { Vec3 } from "../math/vec3.ts";
import { HABITS } from "./biped-habits-table.ts";

/** Joints that are corrected, on the left or in the middle; right ones mirror them. */
export const HABIT_JOINTS: readonly string[] = [
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
];

/** Coordinates that a correction depends on: a joint and its axes. */
const FEATURES: readonly (readonly [string, string])[] = [
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
];

/** Joints by name, relative to the middle of the floor of the box, in heights of the body. */
type NamedPoints = (name: string) => Vec3;

/** Returns 1, the coordinates of {@link FEATURES}, and width and depth of the box in heights. */
export function habitFeatures(at: NamedPoints, { min, max }: Aabb): number[] {
  const height = max[1] - min[1] || 1;
  return [
    1,
    ...FEATURES.flatMap(([name, axes]) => [...axes].map((axis) => at(name)["xyz".indexOf(axis)])),
    (max[0] - min[0]) / height,
    (max[2] - min[2]) / height,
  ];
}

/** Points of a body in the units of {@link habitFeatures}, and back. */
export function bodyUnits({ min, max }: Aabb) {
  const height = max[1] - min[1] || 1;
  const middle: Vec3 = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  return {
    to: (p: ArrayLike<number>): Vec3 =>
      [0, 1, 2].map((axis) => (p[axis] - middle[axis]) / height) as Vec3,
    from: (p: Vec3): Vec3 => p.map((value, axis) => value * height + middle[axis]) as Vec3,
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

/** Largest correction, in heights of the body: beyond, the body is unlike those it was learned from. */
const LARGEST = 0.08;

/**
 * Moves the joints of a fitted biped in T or A pose to where artists put them: shoulders further in, hips
 * further down. The correction is linear in the fitted joints; `npm run bench fit-habits` learns it.
 *
 * @param joints of the template, symmetric; changed in place
 */
export function followHabits(joints: Vec3[], names: readonly string[], box: Aabb): void {
  const { to, from } = bodyUnits(box);
  const at: NamedPoints = (name) => to(joints[names.indexOf(name)]);
  if (!isArmSpread(at("upperArm.L"), at("hand.L"))) return;
  const features = habitFeatures(at, box);
  const before = new Map(["hips", "neck"].map((name) => [name, at(name)]));
  HABIT_JOINTS.forEach((name, row) => {
    const joint = at(name);
    const shift = [0, 1, 2].map((axis) => {
      const coefficients = HABITS[row * 3 + axis];
      return features.reduce((sum, value, i) => sum + value * coefficients[i], 0);
    });
    const length = Math.hypot(...shift);
    const factor = length > LARGEST ? LARGEST / length : 1;
    const moved = joint.map((value, axis) => value + factor * shift[axis]) as Vec3;
    joints[names.indexOf(name)] = from(moved);
    const other = names.indexOf(name.replace(/L$/, "R"));
    if (name.endsWith(".L")) joints[other] = from([-moved[0], moved[1], moved[2]]);
  });
  carrySpine(joints, names, { at, from, before });
}

/** Moves the joints between hips and neck with them, in proportion. */
function carrySpine(
  joints: Vec3[],
  names: readonly string[],
  {
    at,
    from,
    before,
  }: { at: NamedPoints; from: (p: Vec3) => Vec3; before: ReadonlyMap<string, Vec3> },
): void {
  const [low, high] = [before.get("hips")!, before.get("neck")!];
  const shiftOf = (name: string) => at(name).map((value, axis) => value - before.get(name)![axis]);
  const [bottom, top] = [shiftOf("hips"), shiftOf("neck")];
  names.forEach((name, joint) => {
    if (!/^(spine\d?|chest)$/.test(name)) return;
    const own = at(name);
    const t = Math.min(1, Math.max(0, (own[1] - low[1]) / (high[1] - low[1] || 1)));
    joints[joint] = from(
      own.map((value, axis) => value + bottom[axis] + t * (top[axis] - bottom[axis])) as Vec3,
    );
  });
}
