import type { ReadonlyVec3, Vec3 } from "../../src/math/vec3.ts";
import { smoothStep } from "../body-part.ts";
import { addLegs, beast } from "./beast.ts";
import { addFace } from "./face.ts";
import { blend, type Figure } from "./figure.ts";
import { ball, sheet, skirt, tube, turned } from "./shapes.ts";

const GREEN = "#3fa66b";
const DEEP = "#23714f";
const BELLY = "#f6e3a4";
const HORN = "#f7ecd2";
const WING = "#f08a4b";

/** A young dragon with wings of skin, spikes and a bell. */
export function makeDragon(): Figure {
  const base = beast([
    ["neck2", "neck", [0, 0.555, 0.195]],
    ["head", "neck2", [0, 0.635, 0.22]],
    ["tail1", "hips", [0, 0.33, -0.3]],
    ["tail2", "tail1", [0, 0.27, -0.4]],
    ["tail3", "tail2", [0, 0.22, -0.5]],
    ["tail4", "tail3", [0, 0.22, -0.6]],
    ["tail5", "tail4", [0, 0.27, -0.68]],
    ["wing1.L", "chest", [0.085, 0.47, 0.0]],
    ["wing2.L", "wing1.L", [0.2, 0.67, -0.05]],
    ["wing3.L", "wing2.L", [0.385, 0.745, -0.11]],
  ]);
  const { to, chain } = base;
  const hide = (p: Vec3) =>
    blend(GREEN, DEEP, (p[1] - 0.5) * -1.2 + 0.1 * Math.sin(p[2] * 70) * Math.sin(p[0] * 70));
  const body = tube(
    [
      { at: [0, 0.35, -0.29], r: [0.08, 0.08] },
      { at: [0, 0.36, -0.21], r: [0.128, 0.125] },
      { at: [0, 0.36, -0.07], r: [0.138, 0.132] },
      { at: [0, 0.38, 0.06], r: [0.132, 0.132] },
      { at: [0, 0.43, 0.14], r: [0.105, 0.105] },
      { at: [0, 0.52, 0.185], r: [0.08, 0.08] },
      { at: [0, 0.6, 0.21], r: [0.075, 0.075] },
    ],
    { sides: 18, steps: 3 },
  );
  const along = (p: Vec3) => p[1] - 0.36 - 0.9 * Math.max(0, p[2] - 0.06);
  to.add(
    body,
    (p) => blend(hide(p), BELLY, (-0.055 - along(p) + (p[2] > 0.1 ? 0.05 : 0)) * 30),
    chain(["hips", "spine1", "chest", "neck", "neck2"], 0.06, [0, 0.08, 0.02]),
  );
  // Belly plates.
  const plates: [number, number, number, number, string][] = [
    [0.3, 0.165, 0.078, 20, "chest"],
    [0.365, 0.21, 0.076, 28, "neck"],
    [0.43, 0.238, 0.066, 38, "neck"],
    [0.49, 0.255, 0.056, 58, "neck"],
  ];
  for (const [y, z, wide, tilt, joint] of plates)
    to.add(
      turned(
        ball([0, y, z], [wide, 0.036, 0.026], { n: 4, p: 2.5 }),
        [0, y, z],
        [-90 + tilt + 60, 0, 0],
      ),
      BELLY,
      joint,
    );
  addLegs(base, (p) => hide(p), 1.12, HORN);
  addHead(base);
  // Tail with a spade, spikes along the back.
  const tail = tube(
    [
      { at: [0, 0.35, -0.25], r: 0.088 },
      { at: [0, 0.325, -0.33], r: 0.072 },
      { at: [0, 0.265, -0.42], r: 0.056 },
      { at: [0, 0.22, -0.52], r: 0.043 },
      { at: [0, 0.225, -0.62], r: 0.032 },
      { at: [0, 0.29, -0.7], r: 0.02 },
    ],
    { sides: 14, steps: 3 },
  );
  to.add(
    tail,
    (p) =>
      blend(hide(p), BELLY, (p[2] > -0.36 ? 0.27 : 0.2 + 0.1 * (p[2] + 0.5) ** 2) > p[1] ? 0.7 : 0),
    chain(["hips", "tail1", "tail2", "tail3", "tail4", "tail5"], 0.05, [0, 0.06, -0.04]),
  );
  to.add(
    turned(
      tube(
        [
          { at: [0, 0.27, -0.69], r: [0.02, 0.014] },
          { at: [0, 0.305, -0.712], r: [0.075, 0.016] },
          { at: [0, 0.35, -0.74], r: [0.05, 0.014] },
          { at: [0, 0.405, -0.77], r: 0.004 },
        ],
        { sides: 12, steps: 3 },
      ),
      [0, 0.28, -0.69],
      [-12, 0, 0],
    ),
    WING,
    "tail5",
  );
  addCrest(base);
  addWings(base);
  // A bell on a collar.
  to.add(
    turned(
      skirt(
        [
          { at: [0, 0.535, 0.185], r: [0.088, 0.088] },
          { at: [0, 0.52, 0.185], r: [0.096, 0.096] },
          { at: [0, 0.505, 0.185], r: [0.092, 0.092] },
        ],
        0.02,
        { sides: 22, steps: 1 },
      ),
      [0, 0.52, 0.185],
      [18, 0, 0],
    ),
    "#b8393f",
    "neck",
  );
  to.add(ball([0, 0.482, 0.275], [0.03, 0.03, 0.028], { n: 4 }), "#f2c14e", "neck", "gloss");
  to.add(ball([0, 0.47, 0.3], [0.012, 0.005, 0.006], { n: 2 }), "#5b3b12", "neck");
  return to.build("dragon", base.rig);
}

function addHead({ to }: ReturnType<typeof beast>): void {
  const skull = ball([0, 0.7, 0.24], [0.158, 0.138, 0.142], { n: 9, p: 2.15 });
  const paint = (p: Vec3) => blend(GREEN, DEEP, (0.7 - p[1]) * 3);
  to.add(skull, paint, "head");
  const snout = ball([0, 0.675, 0.375], [0.108, 0.066, 0.098], { n: 6, p: 2.4 });
  to.add(snout, (p) => blend("#54bb7d", GREEN, (0.69 - p[1]) * 10), "head");
  const jaw = ball([0, 0.622, 0.355], [0.098, 0.034, 0.096], { n: 5, p: 2.3 });
  to.add(jaw, BELLY, "head");
  to.pair(ball([0.04, 0.72, 0.455], [0.015, 0.011, 0.012], { n: 3 }), "#1d4a36", "head");
  const smile = [-1, -0.6, 0, 0.6, 1].map((t) => ({
    at: [
      0.1 * Math.sin(1.35 * t),
      0.638 + 0.02 * t * t,
      0.365 + 0.094 * Math.cos(1.35 * t),
    ] as Vec3,
    r: 0.005,
  }));
  to.add(tube(smile, { side: [0, 1, 0], sides: 8, steps: 3 }), "#5a2b2b", "head");
  to.pair(
    tube(
      [
        { at: [0.062, 0.645, 0.44], r: 0.012 },
        { at: [0.063, 0.617, 0.446], r: 0.003 },
      ],
      { sides: 8, steps: 2 },
    ),
    "#ffffff",
    "head",
    "satin",
  );
  addFace(to, skull, {
    joint: "head",
    eye: { x: 0.076, y: 0.732, wide: 0.031, high: 0.041, iris: "#d98a1c" },
    brow: { color: DEEP, lift: 0.001, tilt: -0.006, thick: 0.009 },
  });
  to.pair(
    tube(
      [
        { at: [0.075, 0.81, 0.2], r: 0.034 },
        { at: [0.1, 0.865, 0.16], r: 0.028 },
        { at: [0.118, 0.91, 0.1], r: 0.019 },
        { at: [0.12, 0.955, 0.055], r: 0.005 },
      ],
      { sides: 12, steps: 3 },
    ),
    (p) => blend("#d8b98a", HORN, (p[1] - 0.8) * 9 + 0.25 * Math.sin(p[1] * 260)),
    "head",
    "satin",
  );
  // Ears like little fins.
  to.pair(
    tube(
      [
        { at: [0.135, 0.71, 0.2], r: [0.03, 0.016] },
        { at: [0.185, 0.735, 0.17], r: [0.052, 0.014] },
        { at: [0.235, 0.775, 0.13], r: [0.034, 0.01] },
        { at: [0.262, 0.8, 0.108], r: 0.004 },
      ],
      { side: [0, 1, 0], sides: 12, steps: 3 },
    ),
    (p) => blend(GREEN, WING, (p[0] - 0.15) * 11),
    "head",
  );
}

/** A row of spikes along the back, one piece from the neck to the tail. */
function addCrest({ to, chain }: ReturnType<typeof beast>): void {
  const path: Vec3[] = [
    [0, 0.6, 0.13],
    [0, 0.535, 0.075],
    [0, 0.498, 0],
    [0, 0.48, -0.1],
    [0, 0.468, -0.19],
    [0, 0.42, -0.27],
    [0, 0.35, -0.36],
    [0, 0.29, -0.44],
    [0, 0.252, -0.52],
  ];
  const teeth = path.length - 1;
  const crest = sheet(
    (u, v) => {
      const along = Math.min(teeth - 1e-6, u * teeth);
      const i = Math.floor(along);
      const t = along - i;
      const [a, b] = [path[i], path[i + 1]];
      const out = Math.sin(Math.PI * u) ** 0.5 * 0.062 + 0.014;
      // Up the front, steeply down the back.
      const tooth = 0.22 + 0.78 * (t < 0.72 ? t / 0.72 : (1 - t) / 0.28);
      const high = v * out * tooth - 0.025 * (1 - v);
      const [dy, dz] = [b[1] - a[1], b[2] - a[2]];
      const size = Math.hypot(dy, dz);
      const [ny, nz] = [-dz / size, dy / size];
      return [0, a[1] + t * dy + high * ny, a[2] + t * dz + high * nz - 0.35 * v * out * tooth];
    },
    [teeth * 6, 3],
    (_, v) => 0.03 - 0.022 * v,
  );
  const joints = ["neck2", "neck", "chest", "spine1", "hips", "tail1", "tail2", "tail3"];
  to.add(
    crest,
    (p) => blend(WING, "#ffb26b", 0.5 + 4 * (p[1] - 0.5)),
    chain(joints, 0.05, [0, 0.02, -0.08]),
    "satin",
  );
}

function addWings({ to, chain }: ReturnType<typeof beast>): void {
  const weigh = chain(["chest", "wing1.L", "wing2.L", "wing3.L"], 0.05, [0.12, -0.03, -0.05]);
  const top: Vec3[] = [
    [0.055, 0.455, 0.0],
    [0.2, 0.67, -0.05],
    [0.385, 0.745, -0.11],
    [0.57, 0.69, -0.17],
  ];
  const on = (u: number): Vec3 => {
    const i = Math.min(2, Math.floor(u * 3));
    const t = u * 3 - i;
    const [a, b, c, d] = [top[i - 1] ?? top[i], top[i], top[i + 1], top[i + 2] ?? top[i + 1]];
    return [0, 1, 2].map(
      (k) =>
        b[k] +
        0.5 *
          t *
          (c[k] -
            a[k] +
            t * (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k] + t * (3 * (b[k] - c[k]) + d[k] - a[k]))),
    ) as Vec3;
  };
  const membrane = sheet(
    (u, v) => {
      const [x, y, z] = on(u);
      const scallop = 0.16 * Math.abs(Math.sin(3 * Math.PI * u)) ** 0.8;
      // Next to the body it is short: it grows from the shoulder, not from the thigh.
      const root = 0.25 + 0.75 * smoothStep(u / 0.3);
      const drop = root * (0.27 - 0.05 * u) * v * (1 - scallop * v);
      return [
        x - 0.02 * v - 0.05 * u * v,
        y - drop,
        z - root * 0.1 * v * (1 - 0.3 * u) - 0.03 * Math.sin(Math.PI * v),
      ];
    },
    [18, 8],
    (u, v) => {
      // Fingers run down the skin.
      const finger = Math.min(Math.abs(u - 1 / 3), Math.abs(u - 2 / 3));
      return 0.016 - 0.006 * v + (finger < 0.01 ? 0.016 * (1 - 0.8 * v) : 0);
    },
  );
  to.pair(
    membrane,
    (p) => blend(WING, "#ffc07a", (0.62 - p[1]) * 2.6),
    (p, give) => {
      // By the position along the wing, at any height.
      weigh(spanPoint(p, on), give);
    },
  );
  to.pair(
    tube(
      [0, 0.33, 0.66, 1].map((u, i) => ({ at: on(u), r: [0.03, 0.025, 0.02, 0.007][i] })),
      { side: [0, 0, 1], sides: 12, steps: 5 },
    ),
    (p) => blend(DEEP, GREEN, p[1]),
    weigh,
  );
  to.pair(
    tube(
      [
        { at: [0.2, 0.67, -0.05], r: 0.016 },
        { at: [0.202, 0.718, -0.035], r: 0.004 },
      ],
      { sides: 8, steps: 2 },
    ),
    HORN,
    "wing2.L",
    "satin",
  );
}

/** The point on the wing's upper edge above a point. */
function spanPoint(p: ReadonlyVec3, on: (u: number) => Vec3): Vec3 {
  let best = on(0);
  let least = Infinity;
  for (let i = 0; i <= 60; i++) {
    const at = on(i / 60);
    const drop = Math.max(0, at[1] - p[1]);
    const far = Math.abs(at[0] - p[0] - 0.09 * drop - 0.16 * drop * (i / 60));
    if (far < least) [best, least] = [at, far];
  }
  return best;
}
