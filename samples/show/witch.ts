import type { ReadonlyVec3, Vec3 } from "../../src/math/vec3.ts";
import { addFace } from "./face.ts";
import { blend, type Figure, onFront, patch } from "./figure.ts";
import { addBoots, addHands, headShape, hungFrom, person, sleeve } from "./person.ts";
import { ball, skirt, tube, turned } from "./shapes.ts";

const VIOLET = "#6a3fa0";
const DEEP = "#46256f";
const GOLD = "#f0c053";

/** A young witch with a bent hat, long hair and a broom. */
export function makeWitch(): Figure {
  const base = person([
    ["hat1", "head", [0, 0.9, -0.005]],
    ["hat2", "hat1", [0.005, 1.03, -0.03]],
    ["hat3", "hat2", [0.05, 1.12, -0.085]],
    ["hair1.L", "head", [0.155, 0.7, -0.02]],
    ["hair2.L", "hair1.L", [0.185, 0.585, -0.015]],
    ["hair3.L", "hair2.L", [0.18, 0.48, 0.01]],
  ]);
  const { to } = base;
  const center: Vec3 = [0, 0.735, 0.012];
  const head = headShape(center, [0.172, 0.168, 0.16]);
  to.add(head, (p) => blend("#fddcc2", "#f4bd9c", (0.71 - p[1]) * 6), "head");
  to.pair(ball([0.172, 0.7, 0.006], [0.026, 0.036, 0.024], { n: 3 }), "#f0b08c", "head");
  addFace(to, head, {
    joint: "head",
    eye: { x: 0.068, y: 0.717, wide: 0.034, high: 0.045, iris: "#4aa84f" },
    brow: { color: "#b04f22", lift: 0.003, tilt: -0.004, thick: 0.008 },
    mouth: { y: 0.632, wide: 0.034, smile: 0.013, color: "#a03e4d" },
    cheek: { x: 0.113, y: 0.658, size: 0.025, color: "#f39a8c" },
  });
  to.add(patch(onFront(head, 0, 0.676), [0.014, 0.013, 0.017], 0.004, 3), "#efa583", "head");
  addHat(base);
  addHair(base);
  // The dress is one cloth from the neck to the hem, over a wide skirt; a belt holds it.
  const swing = (p: ReadonlyVec3, give: (joint: string, share: number) => void) => {
    if (p[1] > 0.335) {
      base.trunk(p, give);
      return;
    }
    const low = 0.5 * Math.min(1, Math.max(0, (0.33 - p[1]) / 0.16)) ** 1.3;
    const left = Math.min(1, Math.max(0, 0.5 + p[0] / 0.14));
    give("hips", 1 - low);
    give("upperLeg.L", low * left);
    give("upperLeg.R", low * (1 - left));
  };
  // A body inside the dress: in a hollow cloth, bones would be outside.
  const body = tube(
    [
      { at: [0, 0.28, 0], r: [0.09, 0.08] },
      { at: [0, 0.36, 0], r: [0.088, 0.074] },
      { at: [0, 0.44, 0], r: [0.09, 0.076] },
      { at: [0, 0.5, 0], r: [0.078, 0.062] },
    ],
    { sides: 10, steps: 1, caps: 0.5 },
  );
  to.add(body, DEEP, base.trunk);
  const fold = (a: number, t: number) => 0.05 * Math.max(0, 2.2 * t - 1.2) * Math.cos(9 * a);
  to.add(
    skirt(
      [
        { at: [0, 0.545, 0], r: [0.052, 0.05] },
        { at: [0, 0.51, 0], r: [0.092, 0.076] },
        { at: [0, 0.45, 0], r: [0.104, 0.09] },
        { at: [0, 0.385, 0], r: [0.1, 0.086] },
        { at: [0, 0.34, 0], r: [0.118, 0.104] },
        { at: [0, 0.27, 0], r: [0.158, 0.145] },
        { at: [0, 0.19, 0], r: [0.192, 0.178] },
      ],
      0.016,
      { sides: 30, ripple: fold },
    ),
    (p) => (p[1] < 0.205 ? GOLD : blend(VIOLET, DEEP, (0.4 - p[1]) * 4)),
    swing,
  );
  to.add(
    skirt(
      [
        { at: [0, 0.36, 0], r: [0.08, 0.07] },
        { at: [0, 0.26, 0], r: [0.128, 0.115] },
        { at: [0, 0.165, 0], r: [0.165, 0.152] },
      ],
      0.014,
      { sides: 24, ripple: (a, t) => 0.05 * t * Math.cos(8 * a) },
    ),
    "#2b1a48",
    swing,
  );
  to.add(
    skirt(
      [
        { at: [0, 0.4, 0], r: [0.1, 0.088] },
        { at: [0, 0.38, 0], r: [0.107, 0.094] },
        { at: [0, 0.36, 0], r: [0.108, 0.096] },
      ],
      0.02,
      { sides: 22, steps: 1 },
    ),
    "#3a2418",
    base.trunk,
  );
  to.add(ball([0, 0.38, 0.094], [0.026, 0.023, 0.012], { n: 4, p: 4 }), GOLD, base.trunk, "satin");
  // Collar with a brooch.
  to.add(
    skirt(
      [
        { at: [0, 0.56, 0], r: [0.062, 0.06] },
        { at: [0, 0.545, 0], r: [0.1, 0.09] },
        { at: [0, 0.515, 0], r: [0.128, 0.112] },
        { at: [0, 0.49, 0], r: [0.14, 0.122] },
      ],
      0.014,
      { sides: 28, ripple: (a, t) => 0.06 * t * Math.cos(8 * a) },
    ),
    (p) => blend(DEEP, "#8456c0", (p[1] - 0.48) * 9),
    "chest",
  );
  to.add(ball([0, 0.518, 0.112], [0.02, 0.023, 0.014], { n: 4 }), "#3fc4b1", "chest", "gloss");
  // Arms with wide cuffs.
  to.pair(
    sleeve([
      [-0.1, 0.04],
      [0.45, 0.042],
      [1, 0.042],
      [1.5, 0.052],
      [1.9, 0.066],
    ]),
    (p) => blend(VIOLET, DEEP, (0.43 - p[1]) * 6),
    base.arm,
  );
  to.pair(
    sleeve(
      [
        [1.82, 0.068],
        [1.93, 0.07],
      ],
      16,
    ),
    GOLD,
    "lowerArm.L",
  );
  addHands(base, "#f9cfae");
  // Striped stockings.
  to.pair(
    tube(
      [
        { at: [0.062, 0.285, 0], r: 0.048 },
        { at: [0.069, 0.17, 0.006], r: 0.042 },
        { at: [0.073, 0.08, -0.004], r: 0.04 },
      ],
      { steps: 10 },
    ),
    (p) => (Math.sin(p[1] * 190) > 0 ? "#f4e9f5" : "#57318a"),
    base.leg,
  );
  addBoots(base, { boot: "#33223d", sole: "#c98b4e", cuff: GOLD }, 0.105);
  addBroom(base);
  return to.build("witch", base.rig);
}

function addHat({ to, chain }: ReturnType<typeof person>): void {
  const paint = (p: Vec3) => blend(DEEP, VIOLET, (p[1] - 0.8) * 3.2);
  const tilt = (shape: ReturnType<typeof tube>) => turned(shape, [0, 0.85, 0], [-9, 0, 0]);
  const brim = ball([0, 0.845, 0], [0.305, 0.022, 0.3], {
    n: 9,
    p: 2.2,
    warp: ([x, y, z]) => [
      x,
      y + 0.9 * (x * x) - 0.35 * z * z + 0.012 * Math.sin(3 * Math.atan2(x, z)),
      z,
    ],
  });
  to.add(tilt(brim), paint, "head");
  const cone = tube(
    [
      { at: [0, 0.84, 0], r: 0.172 },
      { at: [0, 0.9, -0.004], r: 0.15 },
      { at: [0.002, 0.98, -0.016], r: 0.108 },
      { at: [0.012, 1.06, -0.045], r: 0.074 },
      { at: [0.045, 1.12, -0.09], r: 0.053 },
      { at: [0.1, 1.135, -0.125], r: 0.036 },
      { at: [0.155, 1.105, -0.14], r: 0.016 },
    ],
    { sides: 20, steps: 3, caps: [0.05, 0.8] },
  );
  to.add(
    tilt(cone),
    paint,
    chain(["head", "hat1", "hat2", "hat3"], [0.03, 0.03, 0.05, 0.04], [0.11, -0.01, -0.06]),
  );
  to.add(
    tilt(
      skirt(
        [
          { at: [0, 0.9, -0.003], r: [0.154, 0.154] },
          { at: [0, 0.877, -0.002], r: [0.169, 0.169] },
          { at: [0, 0.852, 0], r: [0.177, 0.177] },
        ],
        0.02,
        { sides: 24, steps: 1 },
      ),
    ),
    GOLD,
    "head",
  );
  to.add(
    tilt(ball([0, 0.877, 0.17], [0.033, 0.028, 0.014], { n: 4, p: 4 })),
    "#fff0c0",
    "head",
    "satin",
  );
}

function addHair({ to, chain }: ReturnType<typeof person>): void {
  const paint = (p: Vec3) =>
    blend("#c9542a", "#f08a4b", 0.5 + (p[1] - 0.7) * 2.4 + 0.18 * Math.sin(p[0] * 160));
  const cap = ball([0, 0.742, -0.012], [0.187, 0.182, 0.178], {
    n: 9,
    p: 2.2,
    warp: ([x, y, z]) => {
      const front = Math.max(0, Math.min(1, (z - 0.0) / 0.1));
      const low = 0.6 + 0.215 * front;
      return y < low ? [x * 0.96, low - 0.2 * (low - y), z * 0.95] : [x, y, z];
    },
  });
  to.add(cap, paint, "head");
  for (const [x, w, lean] of [
    [-0.085, 0.058, -10],
    [0.0, 0.05, 14],
    [0.075, 0.06, 34],
  ]) {
    to.add(
      turned(
        tube(
          [
            { at: [x, 0.862, 0.13], r: [w * 0.7, 0.03] },
            { at: [x, 0.82, 0.16 - 3 * x * x], r: [w, 0.028] },
            { at: [x * 1.25, 0.785, 0.168 - 4 * x * x], r: [w * 0.6, 0.018] },
            { at: [x * 1.5, 0.765, 0.165 - 4 * x * x], r: [w * 0.16, 0.006] },
          ],
          { sides: 10, steps: 3 },
        ),
        [x, 0.83, 0.15],
        [0, 0, lean * 0.4],
      ),
      paint,
      "head",
    );
  }
  const lock = tube(
    [
      { at: [0.145, 0.78, 0.02], r: [0.04, 0.05] },
      { at: [0.172, 0.69, 0.005], r: [0.046, 0.056] },
      { at: [0.188, 0.59, -0.005], r: [0.046, 0.054] },
      { at: [0.184, 0.5, 0.01], r: [0.038, 0.044] },
      { at: [0.17, 0.435, 0.035], r: [0.022, 0.026] },
      { at: [0.165, 0.405, 0.05], r: 0.005 },
    ],
    { sides: 12, steps: 3 },
  );
  to.pair(
    lock,
    paint,
    hungFrom(
      "head",
      0.645,
      0.1,
      chain(["hair1.L", "hair2.L", "hair3.L"], 0.03, [-0.015, -0.08, 0.04]),
    ),
  );
  to.pair(ball([0.187, 0.527, 0.004], [0.048, 0.016, 0.056], { n: 4 }), "#3fc4b1", "hair2.L");
  const back = tube(
    [
      { at: [0, 0.75, -0.12], r: [0.15, 0.06] },
      { at: [0, 0.64, -0.13], r: [0.145, 0.058] },
      { at: [0, 0.57, -0.14], r: [0.12, 0.045] },
      { at: [0, 0.53, -0.145], r: [0.06, 0.02] },
    ],
    { sides: 16, steps: 3 },
  );
  to.add(back, paint, "head");
}

function addBroom({ to }: ReturnType<typeof person>): void {
  const hand: Vec3 = [-0.288, 0.318, 0.03];
  const tilt = (shape: ReturnType<typeof tube>) => turned(shape, hand, [22, 0, 10]);
  const at = (y: number, wobble = 0): Vec3 => [hand[0] + wobble, hand[1] + y, hand[2]];
  to.add(
    tilt(
      tube(
        [
          { at: at(-0.24), r: 0.014 },
          { at: at(-0.1, 0.006), r: 0.014 },
          { at: at(0.1, -0.006), r: 0.013 },
          { at: at(0.3), r: 0.013 },
        ],
        { sides: 10 },
      ),
    ),
    "#9a6a3c",
    "hand.R",
  );
  to.add(
    tilt(
      tube(
        [
          { at: at(0.26), r: 0.022 },
          { at: at(0.32), r: 0.052 },
          { at: at(0.42), r: 0.066 },
          { at: at(0.5), r: 0.05 },
          { at: at(0.54), r: 0.02 },
        ],
        { sides: 16 },
      ),
    ),
    (p) =>
      blend(
        "#d9a441",
        "#b9812c",
        0.5 + 0.6 * Math.sin(14 * Math.atan2(p[0] - hand[0] + 0.06, p[2] - hand[2] - 0.15)),
      ),
    "hand.R",
  );
  to.add(
    tilt(
      tube(
        [
          { at: at(0.285), r: 0.038 },
          { at: at(0.3), r: 0.045 },
        ],
        { sides: 12, steps: 1, caps: 0.3 },
      ),
    ),
    VIOLET,
    "hand.R",
  );
}
