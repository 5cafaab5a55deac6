import type { Vec3 } from "../../src/math/vec3.ts";
import { limb, smoothStep, type Weigh } from "../body-part.ts";
import { type JointRow, type Rig, rigFrom } from "../rig.ts";
import { type Builder, figure, type Paint } from "./figure.ts";
import { ball, type Ring, type Shape, tube } from "./shapes.ts";

const ROWS: JointRow[] = [
  ["hips", "", [0, 0.3, 0]],
  ["spine", "hips", [0, 0.36, 0]],
  ["chest", "spine", [0, 0.44, 0]],
  ["neck", "chest", [0, 0.535, 0]],
  ["head", "neck", [0, 0.575, 0.005]],
  ["shoulder.L", "chest", [0.045, 0.505, 0]],
  ["upperArm.L", "shoulder.L", [0.115, 0.5, 0]],
  ["lowerArm.L", "upperArm.L", [0.195, 0.42, 0]],
  ["hand.L", "lowerArm.L", [0.262, 0.348, 0.008]],
  ["upperLeg.L", "hips", [0.066, 0.275, 0]],
  ["lowerLeg.L", "upperLeg.L", [0.07, 0.165, 0.008]],
  ["foot.L", "lowerLeg.L", [0.073, 0.055, -0.008]],
  ["toe.L", "foot.L", [0.075, 0.022, 0.05]],
];

/** A small person with a large head, about 1 high, arms hanging at an angle. */
export interface Person {
  to: Builder;
  rig: Rig;
  /** Weights along a chain of joints; blends are as wide as the radii. */
  chain(joints: string[], radii?: number | number[], tip?: Vec3): Weigh;
  trunk: Weigh;
  arm: Weigh;
  leg: Weigh;
}

/** Starts a person; `rows` are joints of hair and clothes, or replace the default ones. */
export function person(rows: JointRow[] = []): Person {
  const isOwn = new Set(rows.map(([name]) => name));
  const rig = rigFrom([...ROWS.filter(([name]) => !isOwn.has(name)), ...rows]);
  const chain: Person["chain"] = (joints, radii = 0.05, tip) => {
    const given = typeof radii === "number" ? joints.map(() => radii) : radii;
    return limb(rig, joints, tip ? [...given, given[given.length - 1]] : given, tip ? { tip } : {})
      .weigh;
  };
  return {
    to: figure(),
    rig,
    chain,
    trunk: chain(["hips", "spine", "chest"], 0.05, [0, 0.1, 0]),
    arm: chain(["upperArm.L", "lowerArm.L", "hand.L"], 0.04, [0.04, -0.045, 0.005]),
    leg: chain(["upperLeg.L", "lowerLeg.L", "foot.L"], 0.04, [0, -0.05, 0.005]),
  };
}

/** Weights of one joint above a height, which blend into others within `wide` below it. */
export function hungFrom(joint: string, y: number, wide: number, below: Weigh): Weigh {
  return (p, give) => {
    const share = smoothStep((p[1] - y + wide) / wide);
    if (share > 0) give(joint, share);
    if (share < 1) below(p, (other, amount) => give(other, (1 - share) * amount));
  };
}

/** Position along the arm: 0 at the shoulder, 1 at the elbow, 2 at the wrist. */
export function armPoint(t: number, out = 0): Vec3 {
  const points: Vec3[] = [
    [0.1, 0.512, 0],
    [0.195, 0.42, 0],
    [0.262, 0.348, 0.008],
    [0.3, 0.305, 0.014],
  ];
  const i = Math.max(0, Math.min(2, Math.floor(t)));
  const [a, b] = [points[i], points[i + 1]];
  const f = t - i;
  return [
    a[0] + f * (b[0] - a[0]) + 0.7 * out,
    a[1] + f * (b[1] - a[1]) + 0.7 * out,
    a[2] + f * (b[2] - a[2]),
  ];
}

/** A tube along the arm, half widths at positions of `armPoint`. */
export function sleeve(rows: [t: number, r: number][], sides = 14): Shape {
  return tube(
    rows.map(([t, r]) => ({ at: armPoint(t), r: [r * 1.02, r] as [number, number] })),
    { side: [0, 0, 1], sides, steps: 2 },
  );
}

/** A mitten with a thumb. */
export function addHands({ to }: Person, paint: Paint): void {
  const hand = tube(
    [
      { at: armPoint(1.95), r: [0.024, 0.022] },
      { at: armPoint(2.3), r: [0.037, 0.026] },
      { at: armPoint(2.8), r: [0.038, 0.026] },
      { at: armPoint(3.15), r: [0.028, 0.021] },
    ],
    { side: [0, 0, 1], sides: 12, steps: 2 },
  );
  to.pair(hand, paint, "hand.L");
  const thumb = tube(
    [
      { at: [0.268, 0.335, 0.03], r: 0.014 },
      { at: [0.27, 0.318, 0.055], r: 0.0155 },
      { at: [0.28, 0.3, 0.063], r: 0.013 },
    ],
    { side: [1, 0, 0], sides: 8, steps: 2 },
  );
  to.pair(thumb, paint, "hand.L");
}

/** A boot: a shaft around the ankle, a rounded shoe and a sole. */
export function addBoots(
  { to, chain }: Person,
  colors: { boot: Paint; sole: string; cuff: string },
  top = 0.13,
): void {
  const shaft = tube(
    [
      { at: [0.073, 0.035, -0.008], r: 0.048 },
      { at: [0.073, 0.075, -0.008], r: [0.047, 0.05] },
      { at: [0.071, top, -0.002], r: [0.055, 0.057] },
    ],
    { caps: [0.4, 0.12], sides: 16, side: [1, 0, 0] },
  );
  const shin = chain(["lowerLeg.L", "foot.L"], 0.03, [0, -0.05, 0]);
  to.pair(shaft, colors.boot, shin);
  const cuff = tube(
    [
      { at: [0.071, top - 0.014, -0.002], r: [0.06, 0.062] },
      { at: [0.071, top + 0.01, -0.002], r: [0.063, 0.065] },
    ],
    { caps: 0.3, sides: 16, steps: 1 },
  );
  to.pair(cuff, colors.cuff, "lowerLeg.L");
  const flat =
    (y: number) =>
    (p: Vec3): Vec3 => [p[0], Math.max(y, p[1]), p[2]];
  const toes = chain(["foot.L", "toe.L"], 0.03, [0, 0, 0.05]);
  to.pair(
    ball([0.075, 0.034, 0.028], [0.056, 0.045, 0.09], { n: 4, p: 2.4, warp: flat(0.012) }),
    colors.boot,
    toes,
    "satin",
  );
  to.pair(
    ball([0.075, 0.014, 0.027], [0.061, 0.014, 0.096], { n: 4, p: 3, warp: flat(0) }),
    colors.sole,
    toes,
  );
}

/** A trunk of cross sections at heights: half widths sideways and forward. */
export function trunk(
  rows: [y: number, wide: number, deep: number, z?: number][],
  p = 2.4,
  caps: number | [number, number] = 0.5,
): Shape {
  const rings: Ring[] = rows.map(([y, wide, deep, z = 0]) => ({
    at: [0, y, z],
    r: [wide, deep],
    p,
  }));
  return tube(rings, { sides: 18, steps: 2, caps });
}

/** A large round head, with cheeks and a chin: rounder at the bottom, its face slightly flat. */
export function headShape(center: Vec3, [wide, high, deep]: Vec3, n = 9): Shape {
  return ball(center, [wide, high, deep], {
    n,
    p: 2.25,
    warp: ([x, y, z]) => {
      const v = (y - center[1]) / high;
      const cheek =
        1 + 0.07 * Math.exp(-(((v + 0.35) / 0.35) ** 2)) - (v < -0.6 ? 0.22 * (-v - 0.6) : 0);
      const front = z > center[2] ? 1 - 0.05 * (1 - v * v) : 1;
      return [x * cheek, y, center[2] + (z - center[2]) * front];
    },
  });
}
