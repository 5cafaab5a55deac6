import type { Vec3 } from "../../src/math/vec3.ts";
import { addFace } from "./face.ts";
import { blend, type Figure, onFront, patch, shared } from "./figure.ts";
import { addBoots, addHands, headShape, hungFrom, person, sleeve, trunk } from "./person.ts";
import { ball, skirt, tube, turned } from "./shapes.ts";

const SKIN = "#f8c6a0";
const HAIR = "#6b3a20";
const COAT = "#f2b632";

/** A child in a raincoat, with a scarf in the wind and a tuft of hair. */
export function makeChild(): Figure {
  const base = person([
    ["scarf1", "chest", [-0.07, 0.51, -0.095]],
    ["scarf2", "scarf1", [-0.1, 0.45, -0.15]],
    ["scarf3", "scarf2", [-0.115, 0.385, -0.185]],
    ["hair1", "head", [0.01, 0.93, 0.02]],
    ["hair2", "hair1", [0.035, 0.985, 0.0]],
  ]);
  const { to, chain } = base;
  const center: Vec3 = [0, 0.745, 0.012];
  const head = headShape(center, [0.186, 0.178, 0.17]);
  to.add(head, (p) => blend("#fccfab", "#f2b58f", (0.72 - p[1]) * 6), "head");
  to.pair(ball([0.19, 0.715, 0.0], [0.03, 0.042, 0.03], { n: 4 }), SKIN, "head");
  addFace(to, head, {
    joint: "head",
    eye: { x: 0.075, y: 0.725, wide: 0.034, high: 0.045, iris: "#3f8f6a" },
    brow: { color: HAIR, lift: 0.004, tilt: -0.003, thick: 0.009 },
    mouth: { y: 0.637, wide: 0.04, smile: 0.014, color: "#8c3b35" },
    cheek: { x: 0.122, y: 0.662, size: 0.026, color: "#f08d78" },
  });
  to.add(patch(onFront(head, 0, 0.683), [0.017, 0.015, 0.018], 0.004), "#eb9d78", "head");
  addHair(base);
  // The coat, its hem and a hood behind the neck.
  const coat = trunk([
    [0.27, 0.098, 0.082],
    [0.33, 0.116, 0.098],
    [0.42, 0.112, 0.096],
    [0.5, 0.1, 0.084],
    [0.54, 0.062, 0.06],
  ]);
  to.add(coat, (p) => blend(COAT, "#dd9320", (0.42 - p[1]) * 5), base.trunk);
  to.add(
    skirt(
      [
        { at: [0, 0.375, 0], r: [0.112, 0.095] },
        { at: [0, 0.3, 0], r: [0.134, 0.117] },
        { at: [0, 0.235, 0], r: [0.152, 0.135] },
      ],
      0.014,
      { sides: 28 },
    ),
    (p) => (p[1] < 0.245 ? "#fff1c9" : COAT),
    base.chain(["hips", "spine"], 0.04),
  );
  to.add(
    tube(
      [
        { at: [0, 0.515, -0.03], r: [0.1, 0.075] },
        { at: [0, 0.56, -0.045], r: [0.118, 0.088] },
      ],
      { caps: [0.6, 0.2], sides: 22 },
    ),
    "#e5a126",
    "chest",
  );
  // Buttons and pockets.
  for (const y of [0.46, 0.4, 0.34])
    to.add(
      patch(onFront(coat, 0, y), [0.0135, 0.0135, 0.009], 0.001, 3),
      "#7a4a21",
      base.trunk,
      "satin",
    );
  to.pair(patch(onFront(coat, 0.064, 0.365), [0.03, 0.024, 0.009], 0, 4), "#d98f1f", base.trunk);
  to.pair(
    sleeve([
      [-0.1, 0.048],
      [0.45, 0.048],
      [1, 0.046],
      [1.5, 0.05],
      [1.85, 0.056],
    ]),
    COAT,
    base.arm,
  );
  to.pair(
    sleeve(
      [
        [1.76, 0.057],
        [1.95, 0.059],
      ],
      16,
    ),
    "#fff1c9",
    "lowerArm.L",
  );
  addHands(base, SKIN);
  // Scarf: a ring and a tail.
  to.add(
    skirt(
      [
        { at: [0, 0.585, 0.004], r: [0.085, 0.082] },
        { at: [0, 0.565, 0.004], r: [0.118, 0.112] },
        { at: [0, 0.54, 0.004], r: [0.124, 0.118] },
        { at: [0, 0.518, 0.004], r: [0.095, 0.09] },
      ],
      0.03,
      { sides: 26 },
    ),
    (p) => (Math.sin(Math.atan2(p[0], p[2]) * 7) > 0 ? "#d5433f" : "#f7ead6"),
    "chest",
  );
  const tail = tube(
    [
      { at: [-0.06, 0.535, -0.085], r: [0.034, 0.014] },
      { at: [-0.085, 0.48, -0.13], r: [0.04, 0.014] },
      { at: [-0.108, 0.42, -0.17], r: [0.046, 0.013] },
      { at: [-0.118, 0.345, -0.2], r: [0.05, 0.012] },
    ],
    { side: [1, 0.1, -0.3], sides: 12, steps: 5, caps: 0.3 },
  );
  to.add(
    tail,
    (p) => (Math.sin(p[1] * 95) > 0 ? "#d5433f" : "#f7ead6"),
    hungFrom(
      "chest",
      0.51,
      0.05,
      chain(["scarf1", "scarf2", "scarf3"], 0.035, [-0.01, -0.06, -0.03]),
    ),
  );
  // Legs and boots.
  to.pair(
    tube(
      [
        { at: [0.062, 0.285, 0], r: 0.056 },
        { at: [0.069, 0.17, 0.006], r: 0.05 },
        { at: [0.073, 0.09, -0.004], r: 0.045 },
      ],
      { sides: 14, steps: 4 },
    ),
    "#3f5b8c",
    base.leg,
  );
  addBoots(base, { boot: "#3aa37c", sole: "#f7ead6", cuff: "#2d8766" }, 0.135);
  // A bag on the back.
  const onBack = shared({ spine: 0.4, chest: 0.6 });
  to.add(
    ball([0, 0.425, -0.135], [0.082, 0.088, 0.052], { n: 6, p: 3 }),
    (p) => blend("#5a7fc0", "#46659c", (0.43 - p[1]) * 8),
    onBack,
  );
  to.add(ball([0, 0.395, -0.18], [0.05, 0.042, 0.022], { n: 5, p: 3 }), "#7fa2dd", onBack);
  to.pair(
    tube(
      [
        { at: [0.06, 0.5, -0.1], r: [0.015, 0.008] },
        { at: [0.07, 0.535, -0.03], r: [0.015, 0.008] },
        { at: [0.074, 0.51, 0.075], r: [0.015, 0.008] },
        { at: [0.08, 0.43, 0.082], r: [0.015, 0.008] },
        { at: [0.096, 0.37, 0.05], r: [0.015, 0.008] },
        { at: [0.08, 0.355, -0.1], r: [0.015, 0.008] },
      ],
      { sides: 8, steps: 4 },
    ),
    "#46659c",
    base.trunk,
  );
  return to.build("child", base.rig);
}

function addHair({ to, chain }: ReturnType<typeof person>): void {
  const paint = (p: Vec3) => blend(HAIR, "#94552c", (p[1] - 0.74) * 4);
  // A cap that leaves the face uncovered, and locks over the forehead.
  const cap = ball([0, 0.762, -0.008], [0.203, 0.187, 0.19], {
    n: 9,
    p: 2.15,
    warp: ([x, y, z]) => {
      const front = Math.max(0, Math.min(1, (z - 0.02) / 0.1));
      const low = 0.7 + 0.13 * front + 0.012 * Math.cos(x * 55);
      return y < low ? [x * 0.94, low - 0.15 * (low - y), z * 0.94] : [x, y, z];
    },
  });
  to.add(cap, paint, "head");
  for (const [x, r, w] of [
    [-0.12, -38, 0.046],
    [-0.055, -14, 0.052],
    [0.02, 12, 0.054],
    [0.095, 34, 0.05],
  ]) {
    to.add(
      turned(
        tube(
          [
            { at: [x, 0.9, 0.125 - 3 * x * x], r: [w * 0.6, 0.026] },
            { at: [x, 0.855, 0.168 - 3.4 * x * x], r: [w, 0.03] },
            { at: [x + 0.015, 0.805, 0.176 - 3.6 * x * x], r: [w * 0.62, 0.02] },
            { at: [x + 0.03, 0.785, 0.178 - 3.8 * x * x], r: [w * 0.2, 0.008] },
          ],
          { sides: 10, steps: 3 },
        ),
        [x, 0.86, 0.15],
        [0, 0, r * 0.35],
      ),
      paint,
      "head",
    );
  }
  to.add(
    tube(
      [
        { at: [0.0, 0.92, 0.02], r: 0.036 },
        { at: [0.022, 0.965, 0.01], r: 0.034 },
        { at: [0.058, 1.0, -0.01], r: 0.02 },
        { at: [0.09, 0.998, -0.015], r: 0.004 },
      ],
      { sides: 10, steps: 3 },
    ),
    paint,
    chain(["head", "hair1", "hair2"], 0.02, [0.05, 0.02, -0.01]),
  );
}
