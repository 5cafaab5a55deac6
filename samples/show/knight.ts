import type { Vec3 } from "../../src/math/vec3.ts";
import { addFace } from "./face.ts";
import { blend, type Figure, onFront, patch, shared } from "./figure.ts";
import { addHands, armPoint, headShape, hungFrom, person, sleeve, trunk } from "./person.ts";
import { ball, sheet, skirt, tube, turned } from "./shapes.ts";

const DARK = "#7d8a9e";
const GOLD = "#e9b44c";
const RED = "#c8383f";

const steel = (p: Vec3) => blend(DARK, "#d5dde8", 0.25 + p[1] * 0.8);

/** A knight with an open helmet and a plume, in plate, with cape, sword and shield. */
export function makeKnight(): Figure {
  const base = person([
    ["cape1", "chest", [0, 0.5, -0.1]],
    ["cape2", "cape1", [0, 0.38, -0.145]],
    ["cape3", "cape2", [0, 0.26, -0.175]],
    ["plume1", "head", [0, 0.955, -0.02]],
    ["plume2", "plume1", [0, 0.985, -0.12]],
    ["plume3", "plume2", [0, 0.925, -0.215]],
  ]);
  const { to, chain } = base;
  const center: Vec3 = [0, 0.735, 0.012];
  const head = headShape(center, [0.168, 0.168, 0.158], 9);
  to.add(head, (p) => blend("#fbcfae", "#eeb18b", (0.7 - p[1]) * 6), "head");
  addFace(to, head, {
    joint: "head",
    eye: { x: 0.062, y: 0.722, wide: 0.03, high: 0.04, iris: "#3f78c2" },
    brow: { color: "#7a4a21", lift: 0.003, tilt: 0.001, thick: 0.0085 },
    mouth: { y: 0.638, wide: 0.034, smile: 0.012, thick: 0.005, color: "#8c3b35" },
  });
  to.add(patch(onFront(head, 0, 0.683), [0.018, 0.017, 0.022], 0.004, 3), "#efaa85", "head");
  addHelmet(base);
  // Plate over a tunic.
  to.add(
    trunk([
      [0.27, 0.09, 0.075],
      [0.33, 0.1, 0.084],
      [0.4, 0.104, 0.088],
      [0.47, 0.09, 0.075],
    ]),
    "#4a3f52",
    base.trunk,
  );
  const plate = trunk(
    [
      [0.37, 0.108, 0.094],
      [0.43, 0.132, 0.116, 0.004],
      [0.485, 0.135, 0.115],
      [0.53, 0.1, 0.085],
      [0.545, 0.07, 0.066],
    ],
    2.5,
    [0.15, 0.3],
  );
  to.add(plate, steel, chain(["spine", "chest"], 0.03, [0, 0.1, 0]), "satin");
  to.add(patch(onFront(plate, 0, 0.455), [0.034, 0.042, 0.014], 0, 4), GOLD, "chest", "satin");
  to.add(patch(onFront(plate, 0, 0.455), [0.02, 0.027, 0.02], 0.002, 3), RED, "chest", "gloss");
  to.add(
    skirt(
      [
        { at: [0, 0.575, 0.004], r: [0.088, 0.086] },
        { at: [0, 0.552, 0.004], r: [0.108, 0.1] },
        { at: [0, 0.528, 0.004], r: [0.1, 0.09] },
      ],
      0.02,
      { sides: 22 },
    ),
    GOLD,
    "chest",
    "satin",
  );
  // Belt and skirt.
  to.add(
    skirt(
      [
        { at: [0, 0.365, 0], r: [0.114, 0.1] },
        { at: [0, 0.35, 0], r: [0.118, 0.104] },
        { at: [0, 0.335, 0], r: [0.114, 0.1] },
      ],
      0.02,
      { sides: 22, steps: 1 },
    ),
    "#6a4426",
    shared({ hips: 0.5, spine: 0.5 }),
  );
  to.add(
    ball([0, 0.35, 0.103], [0.026, 0.022, 0.012], { n: 4, p: 4 }),
    GOLD,
    shared({ hips: 0.5, spine: 0.5 }),
    "satin",
  );
  to.add(
    skirt(
      [
        { at: [0, 0.345, 0], r: [0.104, 0.09] },
        { at: [0, 0.29, 0], r: [0.128, 0.112] },
        { at: [0, 0.235, 0], r: [0.142, 0.126] },
      ],
      0.014,
      { sides: 30, ripple: (a, t) => 0.035 * t * Math.cos(8 * a) },
    ),
    (p) => (p[1] < 0.25 ? GOLD : RED),
    chain(["hips", "spine"], 0.03),
  );
  for (const side of [1, -1])
    to.add(
      turned(
        ball([side * 0.126, 0.292, 0], [0.024, 0.058, 0.062], { n: 4, p: 3 }),
        [side * 0.126, 0.33, 0],
        [0, 0, side * 14],
      ),
      steel,
      "hips",
      "satin",
    );
  // Arms.
  to.pair(
    sleeve([
      [0, 0.044],
      [0.5, 0.045],
      [1, 0.042],
      [1.5, 0.041],
      [1.9, 0.035],
    ]),
    "#4a3f52",
    base.arm,
  );
  const pauldron = (r: number, shift: number) =>
    turned(
      ball([0.135 + shift, 0.505 - shift, 0], [r, r * 0.74, r * 1.02], {
        n: 5,
        p: 2.3,
        warp: ([x, y, z]) => [x, Math.max(y, 0.475 - shift * 1.3), z],
      }),
      [0.135, 0.5, 0],
      [0, 0, -34],
    );
  const onShoulder = shared({ "shoulder.L": 0.7, "upperArm.L": 0.3 });
  to.pair(pauldron(0.068, 0.022), steel, onShoulder, "satin");
  to.pair(pauldron(0.075, 0), steel, onShoulder, "satin");
  to.pair(ball([0.15, 0.548, 0], [0.016, 0.013, 0.016], { n: 3 }), GOLD, onShoulder, "satin");
  to.pair(
    sleeve(
      [
        [1.2, 0.05],
        [1.5, 0.052],
        [1.85, 0.058],
      ],
      16,
    ),
    steel,
    "lowerArm.L",
    "satin",
  );
  to.pair(
    sleeve(
      [
        [1.78, 0.06],
        [1.92, 0.062],
      ],
      16,
    ),
    GOLD,
    "lowerArm.L",
    "satin",
  );
  to.pair(ball(armPoint(1.04), [0.04, 0.04, 0.045], { n: 4 }), DARK, "lowerArm.L", "satin");
  addHands(base, "#5b6474");
  // Legs in plate.
  to.pair(
    tube(
      [
        { at: [0.062, 0.285, 0], r: 0.055 },
        { at: [0.069, 0.17, 0.006], r: 0.048 },
        { at: [0.073, 0.07, -0.004], r: 0.043 },
      ],
      { steps: 3 },
    ),
    "#4a3f52",
    base.leg,
  );
  to.pair(
    tube(
      [
        { at: [0.073, 0.045, -0.006], r: [0.053, 0.056] },
        { at: [0.072, 0.09, -0.002], r: [0.056, 0.058] },
        { at: [0.07, 0.145, 0.003], r: [0.06, 0.062] },
      ],
      { caps: 0.12, sides: 16 },
    ),
    steel,
    "lowerLeg.L",
    "satin",
  );
  to.pair(
    ball([0.07, 0.165, 0.042], [0.04, 0.038, 0.03], { n: 4 }),
    GOLD,
    shared({ "lowerLeg.L": 0.5, "upperLeg.L": 0.5 }),
    "satin",
  );
  const toes = chain(["foot.L", "toe.L"], 0.03, [0, 0, 0.05]);
  to.pair(
    ball([0.075, 0.034, 0.03], [0.056, 0.046, 0.094], {
      n: 4,
      p: 2.3,
      warp: ([x, y, z]) => [x, Math.max(0.004, y), z],
    }),
    steel,
    toes,
    "satin",
  );
  to.pair(
    ball([0.075, 0.014, 0.029], [0.061, 0.014, 0.1], {
      n: 4,
      p: 3,
      warp: ([x, y, z]) => [x, Math.max(0, y), z],
    }),
    DARK,
    toes,
  );
  // Cape.
  const cape = sheet(
    (u, v) => {
      const a = (u - 0.5) * (2.3 - 0.5 * v);
      const far = 0.115 + 0.125 * v ** 0.9;
      return [
        Math.sin(a) * (far + 0.035 + 0.05 * v),
        0.535 - 0.4 * v - 0.02 * Math.cos(2 * a) * (1 - v),
        -Math.cos(a) * far + 0.035 - 0.012 * v * Math.cos(9 * a),
      ];
    },
    [16, 10],
    0.014,
  );
  to.add(
    cape,
    (p) => blend("#2f4f9e", "#1f3672", (0.5 - p[1]) * 3),
    hungFrom("chest", 0.49, 0.09, chain(["cape1", "cape2", "cape3"], 0.06, [0, -0.12, -0.02])),
  );
  to.pair(ball([0.098, 0.535, 0.035], [0.02, 0.02, 0.014], { n: 3 }), GOLD, onShoulder, "satin");
  addArms(base);
  return to.build("knight", base.rig);
}

function addHelmet({ to, chain }: ReturnType<typeof person>): void {
  // A dome that is open above the eyes at the front, with cheek guards.
  const dome = ball([0, 0.752, -0.004], [0.199, 0.2, 0.195], {
    n: 9,
    p: 2.2,
    warp: ([x, y, z]) => {
      const front = Math.max(0, Math.min(1, (z - 0.03) / 0.07));
      const open = Math.max(0, Math.min(1, (0.15 - Math.abs(x)) / 0.03));
      const low = 0.63 + 0.165 * front * open;
      return y < low ? [x * 0.97, low - 0.1 * (low - y), z * (0.97 - 0.08 * front)] : [x, y, z];
    },
  });
  to.add(dome, steel, "head", "satin");
  const rim = [-1, -0.8, -0.45, 0, 0.45, 0.8, 1].map((t) => ({
    at: [t * 0.158, 0.798 - 0.01 * t * t, 0.178 - 0.085 * t * t] as Vec3,
    r: [0.014, 0.012] as [number, number],
  }));
  to.add(tube(rim, { side: [0, 1, 0], sides: 10, steps: 3 }), GOLD, "head", "satin");
  // The visor, up.
  to.add(
    sheet(
      (u, v) => {
        const a = (u - 0.5) * 2.3;
        const far = 0.212 + 0.02 * v - 0.03 * Math.abs(u - 0.5) * v;
        return [
          Math.sin(a) * far,
          0.826 + 0.085 * v * (1 - 0.35 * (2 * u - 1) ** 2),
          Math.cos(a) * (far - 0.012 - 0.045 * v) + 0.006,
        ];
      },
      [18, 5],
      0.018,
    ),
    steel,
    "head",
    "satin",
  );
  const slot = [-0.62, -0.3, 0, 0.3, 0.62].map((a) => ({
    at: [0.224 * Math.sin(a), 0.868 - 0.004 * a * a, 0.0125 + 0.188 * Math.cos(a)] as Vec3,
    r: [0.012, 0.008] as [number, number],
  }));
  to.add(tube(slot, { side: [0, 1, 0], sides: 8, steps: 3 }), "#3a4352", "head");
  to.pair(ball([0.203, 0.8, 0.012], [0.018, 0.03, 0.03], { n: 4 }), GOLD, "head", "satin");
  const ridge = tube(
    [
      { at: [0, 0.86, 0.165], r: [0.016, 0.014] },
      { at: [0, 0.945, 0.085], r: [0.018, 0.016] },
      { at: [0, 0.96, -0.03], r: [0.018, 0.016] },
      { at: [0, 0.88, -0.165], r: [0.014, 0.012] },
    ],
    { sides: 8, steps: 3 },
  );
  to.add(ridge, GOLD, "head", "satin");
  const plume = tube(
    [
      { at: [0, 0.94, 0.02], r: [0.024, 0.02] },
      { at: [0, 1.0, -0.03], r: [0.044, 0.05] },
      { at: [0, 1.0, -0.12], r: [0.052, 0.056] },
      { at: [0, 0.935, -0.205], r: [0.044, 0.046] },
      { at: [0, 0.855, -0.245], r: [0.026, 0.026] },
      { at: [0, 0.8, -0.24], r: [0.006, 0.006] },
    ],
    { sides: 12, steps: 4 },
  );
  to.add(
    plume,
    (p) => blend(RED, "#e8625d", (p[1] - 0.85) * 5 + 0.35 * Math.sin(p[2] * 110)),
    chain(["plume1", "plume2", "plume3"], 0.04, [0, -0.1, -0.04]),
  );
}

function addArms({ to }: ReturnType<typeof person>): void {
  // Sword in the right hand, pointing forwards and up; shield on the left arm.
  const hand: Vec3 = [-0.29, 0.315, 0.02];
  const tilt = (shape: ReturnType<typeof tube>) => turned(shape, hand, [62, 0, 8]);
  const rod = (
    y0: number,
    y1: number,
    r: [number, number],
    caps: number | [number, number],
    p = 2,
    sides = 10,
  ) =>
    tilt(
      tube(
        [
          { at: [hand[0], hand[1] + y0, hand[2]], r, p },
          { at: [hand[0], hand[1] + y1, hand[2]], r, p },
        ],
        { sides, steps: 3, caps, isStraight: true },
      ),
    );
  to.add(rod(-0.055, 0.06, [0.013, 0.013], 0.3), "#6a4426", "hand.R");
  to.add(tilt(ball([hand[0], hand[1] - 0.068, hand[2]], 0.022, { n: 3 })), GOLD, "hand.R", "satin");
  to.add(
    tilt(ball([hand[0], hand[1] + 0.066, hand[2]], [0.068, 0.015, 0.02], { n: 4, p: 3 })),
    GOLD,
    "hand.R",
    "satin",
  );
  const blade = tube(
    [
      { at: [hand[0], hand[1] + 0.07, hand[2]], r: [0.032, 0.009] },
      { at: [hand[0], hand[1] + 0.34, hand[2]], r: [0.029, 0.008] },
      { at: [hand[0], hand[1] + 0.4, hand[2]], r: [0.018, 0.006] },
      { at: [hand[0], hand[1] + 0.44, hand[2]], r: [0.002, 0.002] },
    ],
    { sides: 8, steps: 2, caps: 0.1, isStraight: true },
  );
  to.add(
    tilt(blade),
    (p) => blend("#e8eef5", "#b8c6d8", Math.abs(p[0] - hand[0]) * 30),
    "hand.R",
    "gloss",
  );
  const at = armPoint(1.55, 0.055);
  const face = (wide: number, high: number, deep: number, lift: number, p = 2.6) =>
    turned(
      ball([at[0] + lift, at[1], at[2]], [deep, high, wide], {
        n: 5,
        p,
        warp: ([x, y, z]) => [
          x - 1.3 * (z - at[2]) ** 2,
          y,
          (z - at[2]) * (y < at[1] ? 1 - 1.9 * (at[1] - y) ** 1.4 * 2 : 1) + at[2],
        ],
      }),
      at,
      [0, 0, 20],
    );
  to.add(face(0.118, 0.142, 0.02, 0), GOLD, "hand.L", "satin");
  to.add(face(0.102, 0.125, 0.019, 0.008), "#2f4f9e", "hand.L", "satin");
  to.add(face(0.022, 0.1, 0.014, 0.019, 3), "#f3ead8", "hand.L", "satin");
  to.add(face(0.082, 0.022, 0.014, 0.019, 3), "#f3ead8", "hand.L", "satin");
}
