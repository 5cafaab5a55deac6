import type { Vec3 } from "../../src/math/vec3.ts";
import { addLegs, beast } from "./beast.ts";
import { addFace } from "./face.ts";
import { blend, type Figure, shared } from "./figure.ts";
import { ball, skirt, tube, turned } from "./shapes.ts";

const ORANGE = "#e8772e";
const DEEP = "#c4571c";
const WHITE = "#fff3e2";
const SOCK = "#3a2722";

/** A fox with a neckerchief, large ears and a brush. */
export function makeFox(): Figure {
  const base = beast([
    ["head", "neck", [0, 0.56, 0.2]],
    ["ear1.L", "head", [0.1, 0.68, 0.19]],
    ["ear2.L", "ear1.L", [0.125, 0.765, 0.18]],
    ["tail1", "hips", [0, 0.38, -0.3]],
    ["tail2", "tail1", [0, 0.4, -0.4]],
    ["tail3", "tail2", [0, 0.47, -0.49]],
    ["tail4", "tail3", [0, 0.57, -0.53]],
  ]);
  const { to, chain } = base;
  const fur = (p: Vec3) => blend(ORANGE, DEEP, (p[1] - 0.42) * -1.5);
  const body = tube(
    [
      { at: [0, 0.365, -0.28], r: [0.075, 0.075] },
      { at: [0, 0.365, -0.21], r: [0.115, 0.112] },
      { at: [0, 0.362, -0.07], r: [0.112, 0.106] },
      { at: [0, 0.37, 0.07], r: [0.122, 0.122] },
      { at: [0, 0.4, 0.14], r: [0.1, 0.104] },
      { at: [0, 0.46, 0.18], r: [0.076, 0.076] },
    ],
    { sides: 18, steps: 3 },
  );
  to.add(
    body,
    (p) => blend(fur(p), WHITE, (0.315 - p[1]) * 16),
    chain(["hips", "spine1", "chest", "neck"], 0.06, [0, 0.06, 0.04]),
  );
  to.add(
    ball([0, 0.36, 0.15], [0.085, 0.095, 0.065], {
      n: 5,
      warp: ([x, y, z]) => [x, y - 0.02 * Math.abs(Math.sin(x * 60)), z],
    }),
    WHITE,
    "chest",
  );
  addLegs(base, (p) => (p[1] < 0.15 + 0.01 * Math.sin(p[0] * 200) ? SOCK : fur(p)), 0.95);
  addHead(base);
  // The brush.
  const brush = tube(
    [
      { at: [0, 0.375, -0.25], r: 0.04 },
      { at: [0, 0.38, -0.33], r: 0.058 },
      { at: [0, 0.41, -0.42], r: 0.098 },
      { at: [0, 0.48, -0.5], r: 0.116 },
      { at: [0, 0.58, -0.535], r: 0.1 },
      { at: [0, 0.68, -0.51], r: 0.055 },
      { at: [0, 0.735, -0.475], r: 0.008 },
    ],
    { sides: 16, steps: 3 },
  );
  to.add(
    brush,
    (p) =>
      blend(
        fur(p),
        WHITE,
        (p[1] + 0.014 * Math.sin(Math.atan2(p[0], p[2] + 0.52) * 6) - 0.585) * 45,
      ),
    chain(["tail1", "tail2", "tail3", "tail4"], 0.07, [0, 0.15, 0.04]),
  );
  // Neckerchief.
  to.add(
    skirt(
      [
        { at: [0, 0.495, 0.165], r: [0.088, 0.085] },
        { at: [0, 0.475, 0.165], r: [0.108, 0.105] },
        { at: [0, 0.452, 0.16], r: [0.11, 0.108] },
        { at: [0, 0.432, 0.155], r: [0.095, 0.095] },
      ],
      0.025,
      { sides: 22 },
    ),
    (p) =>
      Math.sin(Math.atan2(p[0], p[2] - 0.16) * 9) * Math.sin(p[1] * 160) > 0.55
        ? "#fdf4df"
        : "#2f8f7e",
    shared({ neck: 0.5, chest: 0.5 }),
  );
  to.add(
    turned(
      tube(
        [
          { at: [0, 0.438, 0.226], r: [0.07, 0.012] },
          { at: [0, 0.392, 0.236], r: [0.05, 0.012] },
          { at: [0, 0.348, 0.236], r: [0.02, 0.01] },
          { at: [0, 0.325, 0.232], r: 0.005 },
        ],
        { sides: 12, steps: 2 },
      ),
      [0, 0.46, 0.25],
      [8, 0, 0],
    ),
    "#2f8f7e",
    shared({ neck: 0.5, chest: 0.5 }),
  );
  return to.build("fox", base.rig);
}

function addHead({ to, chain }: ReturnType<typeof beast>): void {
  const center: Vec3 = [0, 0.6, 0.24];
  const head = ball(center, [0.178, 0.142, 0.142], {
    n: 9,
    p: 2.1,
    warp: ([x, y, z]) => {
      const low = Math.max(0, (0.6 - y) / 0.14);
      return [
        x * (1 + 0.1 * Math.exp(-(((y - 0.565) / 0.05) ** 2))),
        y,
        z + 0.03 * low * (z > 0.24 ? 1 : 0),
      ];
    },
  });
  const mask = (p: Vec3) => {
    const line =
      0.6 -
      0.42 * Math.max(0, 0.085 - Math.abs(p[0])) -
      (Math.abs(p[0]) > 0.1 ? 0.25 * (0.17 - Math.abs(p[0])) : 0.0);
    return p[2] > 0.2
      ? blend(ORANGE, WHITE, (line - p[1] - 0.005) * 45)
      : blend(ORANGE, DEEP, (0.6 - p[1]) * 4);
  };
  to.add(head, mask, "head");
  // Muzzle, nose, mouth.
  const muzzle = ball([0, 0.548, 0.375], [0.068, 0.05, 0.078], { n: 5, p: 2.1 });
  to.add(muzzle, (p) => blend(ORANGE, WHITE, (0.583 - p[1]) * 60), "head");
  to.add(
    ball([0, 0.577, 0.443], [0.025, 0.019, 0.019], { n: 4, p: 2.4 }),
    "#251a1a",
    "head",
    "gloss",
  );
  to.add(ball([-0.006, 0.587, 0.456], [0.006, 0.0045, 0.004], { n: 2 }), "#ffffff", "head", "glow");
  const smile = [-1, -0.55, 0, 0.55, 1].map((t) => {
    const x = 0.044 * t;
    return {
      at: [
        x,
        0.528 + 0.016 * t * t,
        0.375 +
          0.078 *
            Math.sqrt(
              Math.max(0, 1 - (x / 0.068) ** 2 - ((0.528 + 0.016 * t * t - 0.548) / 0.05) ** 2),
            ),
      ] as Vec3,
      r: 0.0052,
    };
  });
  to.add(tube(smile, { side: [0, 1, 0], sides: 8, steps: 2 }), "#5b2f27", "head");
  addFace(to, head, {
    joint: "head",
    eye: { x: 0.083, y: 0.622, wide: 0.03, high: 0.042, iris: "#8a5a1e" },
    brow: { color: SOCK, lift: 0.002, tilt: -0.008, thick: 0.006 },
  });
  // Cheek fur.
  for (const [y, out, size] of [
    [0.565, 0.075, 0.034],
    [0.535, 0.06, 0.03],
    [0.6, 0.05, 0.026],
  ]) {
    to.pair(
      tube(
        [
          { at: [0.13, y + 0.012, 0.23], r: [size * 1.1, size] },
          { at: [0.17, y, 0.228], r: [size * 0.8, size * 0.75] },
          { at: [0.155 + out, y - 0.022, 0.215], r: 0.004 },
        ],
        { side: [0, 0, 1], sides: 10, steps: 2 },
      ),
      y > 0.59 ? ORANGE : WHITE,
      "head",
    );
  }
  to.add(
    tube(
      [
        { at: [0, 0.72, 0.24], r: [0.03, 0.03] },
        { at: [0.0, 0.76, 0.262], r: [0.02, 0.016] },
        { at: [0.015, 0.785, 0.285], r: 0.004 },
      ],
      { sides: 8, steps: 2 },
    ),
    ORANGE,
    "head",
  );
  // Ears.
  const ears = chain(["head", "ear1.L", "ear2.L"], 0.03, [0.02, 0.08, -0.01]);
  const ear = (size: number, z: number) =>
    tube(
      [
        { at: [0.095, 0.665, 0.2 + z], r: [0.066 * size, 0.034 * size] },
        { at: [0.112, 0.735, 0.195 + z], r: [0.058 * size, 0.03 * size] },
        { at: [0.132, 0.81, 0.185 + z], r: [0.032 * size, 0.018 * size] },
        { at: [0.146, 0.862 - 0.05 * (1 - size), 0.178 + z], r: 0.004 },
      ],
      { side: [1, 0, 0], sides: 14, steps: 3 },
    );
  to.pair(ear(1, 0), (p) => blend(ORANGE, SOCK, (p[1] - 0.785) * 40), ears);
  to.pair(ear(0.7, 0.024), (p) => blend("#f6c9b0", "#5a3a32", (p[1] - 0.76) * 12), ears);
}
