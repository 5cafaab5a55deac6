import type { Vec3 } from "../../src/math/vec3.ts";
import { blend, type Figure, onFront, patch, shared } from "./figure.ts";
import { armPoint, person, trunk } from "./person.ts";
import { ball, type Shape, tube, turned } from "./shapes.ts";

const CREAM = "#f3ead6";
const TEAL = "#2f9c95";
const ORANGE = "#ef7d35";
const DARK = "#39424f";
const CYAN = "#6ff6ff";

/** A tin robot with a screen for a face; every part follows one joint. */
export function makeRobot(): Figure {
  const base = person([
    ["spine", "hips", [0, 0.31, 0]],
    ["chest", "spine", [0, 0.345, 0]],
    ["antenna1", "head", [0, 0.905, 0]],
    ["antenna2", "antenna1", [0, 0.965, 0]],
  ]);
  const { to } = base;
  addHead(base);
  // Body: a rounded box with a hatch, a gauge and buttons.
  const body = trunk(
    [
      [0.325, 0.125, 0.1],
      [0.36, 0.142, 0.115],
      [0.45, 0.15, 0.12],
      [0.52, 0.138, 0.108],
    ],
    4,
    [0.35, 0.4],
  );
  to.add(body, (p) => blend(CREAM, "#dccfb4", (0.46 - p[1]) * 5), "chest", "satin");
  to.add(
    trunk(
      [
        [0.335, 0.148, 0.121],
        [0.352, 0.15, 0.123],
      ],
      4,
      0.08,
    ),
    TEAL,
    "chest",
    "satin",
  );
  const hatch = (y: number) => onFront(body, 0, y).at[2];
  to.add(
    ball([0, 0.445, hatch(0.445)], [0.088, 0.062, 0.014], { n: 5, p: 5 }),
    TEAL,
    "chest",
    "satin",
  );
  to.add(
    ball([-0.04, 0.452, hatch(0.445) + 0.014], [0.03, 0.03, 0.009], { n: 4 }),
    "#fdf6e3",
    "chest",
    "gloss",
  );
  to.add(
    turned(
      ball([-0.04, 0.46, hatch(0.445) + 0.023], [0.004, 0.016, 0.003], { n: 2 }),
      [-0.04, 0.45, 0],
      [0, 0, -35],
    ),
    "#d33c30",
    "chest",
  );
  ["#ffcf4a", "#f2574b", "#63d471"].forEach((color, i) => {
    to.add(
      ball([0.018 + 0.026 * i, 0.468, hatch(0.445) + 0.013], [0.0095, 0.0095, 0.008], { n: 3 }),
      color,
      "chest",
      "glow",
    );
  });
  for (const i of [0, 1, 2])
    to.add(
      ball([0.044, 0.444 - 0.014 * i, hatch(0.445) + 0.013], [0.035, 0.0035, 0.004], {
        n: 3,
        p: 4,
      }),
      DARK,
      "chest",
    );
  for (const [x, y] of [
    [-0.105, 0.5],
    [0.105, 0.5],
  ])
    to.add(patch(onFront(body, x, y), [0.009, 0.009, 0.006], 0, 2), "#b8aa8b", "chest", "satin");
  // A wind-up key on the back.
  const key = (shape: Shape, paint = ORANGE) => to.add(shape, paint, "chest", "satin");
  key(
    tube(
      [
        { at: [0, 0.45, -0.1], r: 0.012 },
        { at: [0, 0.45, -0.165], r: 0.012 },
      ],
      { sides: 10, steps: 1 },
    ),
    DARK,
  );
  for (const side of [1, -1]) {
    const ring = Array.from({ length: 9 }, (_, i) => {
      const a = (i / 8) * 2 * Math.PI + 0.01;
      return {
        at: [side * (0.036 - 0.032 * Math.cos(a)), 0.45 + 0.03 * Math.sin(a), -0.172] as Vec3,
        r: 0.011,
      };
    });
    key(tube(ring, { side: [0, 0, 1], sides: 8, steps: 2 }));
  }
  // Waist and hips.
  to.add(ribs([0, 0.275, 0], [0, 0.345, 0], 0.082, 4, 18), DARK, "hips");
  to.add(ball([0, 0.272, 0], [0.105, 0.04, 0.085], { n: 5, p: 3 }), TEAL, "hips", "satin");
  addArm(base);
  addLeg(base);
  return to.build("robot", base.rig);
}

/** A ribbed hose. */
function ribs(
  from: Vec3,
  until: Vec3,
  r: number,
  count: number,
  sides = 12,
  side: Vec3 = [0, 0, 1],
): Shape {
  const rings = Array.from({ length: 2 * count + 1 }, (_, i) => {
    const t = i / (2 * count);
    const at = from.map((value, k) => value + t * (until[k] - value)) as Vec3;
    return { at, r: i % 2 === 0 ? r * 0.84 : r };
  });
  return tube(rings, { sides, steps: 2, caps: 0.1, side });
}

function addHead({ to }: ReturnType<typeof person>): void {
  const head = ball([0, 0.725, 0], [0.2, 0.158, 0.155], { n: 9, p: 4.2 });
  to.add(head, (p) => blend(CREAM, "#e0d4ba", (0.7 - p[1]) * 5), "head", "satin");
  to.add(ribs([0, 0.525, 0], [0, 0.635, 0], 0.06, 4, 14), DARK, "neck");
  to.add(ball([0, 0.722, 0.135], [0.168, 0.118, 0.034], { n: 9, p: 5 }), TEAL, "head", "satin");
  to.add(
    ball([0, 0.722, 0.15], [0.15, 0.1, 0.03], { n: 8, p: 4.5 }),
    (p) => blend("#101a2b", "#22344f", (p[1] - 0.66) * 7),
    "head",
    "gloss",
  );
  to.pair(ball([0.064, 0.733, 0.176], [0.026, 0.04, 0.01], { n: 4, p: 2.3 }), CYAN, "head", "glow");
  to.pair(ball([0.071, 0.749, 0.185], [0.008, 0.011, 0.004], { n: 2 }), "#ffffff", "head", "glow");
  const smile = [-1, -0.5, 0, 0.5, 1].map((t) => ({
    at: [0.038 * t, 0.66 + 0.014 * t * t, 0.1795 - 0.001 * t * t] as Vec3,
    r: 0.0065,
  }));
  to.add(tube(smile, { side: [0, 1, 0], sides: 8, steps: 2 }), CYAN, "head", "glow");
  to.pair(ball([0.117, 0.69, 0.172], [0.018, 0.009, 0.006], { n: 3 }), "#ff8a9a", "head", "glow");
  // Brows, ears, antenna.
  to.pair(
    turned(
      ball([0.07, 0.86, 0.152], [0.036, 0.011, 0.012], { n: 4, p: 3 }),
      [0.07, 0.86, 0.15],
      [0, 0, -6],
    ),
    ORANGE,
    "head",
    "satin",
  );
  const bolt = (x0: number, x1: number, r: number, caps: number) =>
    tube(
      [
        { at: [x0, 0.725, 0], r },
        { at: [x1, 0.725, 0], r },
      ],
      { side: [0, 0, 1], sides: 18, steps: 1, caps },
    );
  to.pair(bolt(0.185, 0.218, 0.062, 0.12), TEAL, "head", "satin");
  to.pair(bolt(0.215, 0.236, 0.04, 0.25), ORANGE, "head", "satin");
  to.add(
    tube(
      [
        { at: [0, 0.872, 0], r: 0.052 },
        { at: [0, 0.892, 0], r: 0.046 },
      ],
      { sides: 16, steps: 1, caps: 0.25 },
    ),
    TEAL,
    "head",
    "satin",
  );
  to.add(
    tube(
      [
        { at: [0, 0.89, 0], r: 0.012 },
        { at: [0, 0.96, 0], r: 0.01 },
      ],
      { sides: 8, steps: 2 },
    ),
    DARK,
    "antenna1",
    "satin",
  );
  to.add(
    ball([0, 0.985, 0], 0.034, { n: 4 }),
    (p) => blend(ORANGE, "#ffb454", (p[1] - 0.97) * 25),
    "antenna2",
    "glow",
  );
}

function addArm({ to }: ReturnType<typeof person>): void {
  const side: Vec3 = [0, 0, 1];
  to.pair(ball([0.152, 0.498, 0], [0.05, 0.05, 0.056], { n: 5 }), TEAL, "upperArm.L", "satin");
  to.pair(ribs(armPoint(0.3), armPoint(0.95), 0.034, 4, 12, side), DARK, "upperArm.L");
  to.pair(ball(armPoint(1), 0.041, { n: 4 }), ORANGE, "lowerArm.L", "satin");
  to.pair(
    tube(
      [
        { at: armPoint(1.15), r: 0.04, p: 2.4 },
        { at: armPoint(1.55), r: 0.057, p: 2.4 },
        { at: armPoint(1.9), r: 0.061, p: 2.4 },
      ],
      { side, sides: 16, steps: 2, caps: [0.3, 0.15] },
    ),
    (p) => blend(CREAM, "#dccfb4", (0.4 - p[1]) * 8),
    "lowerArm.L",
    "satin",
  );
  to.pair(
    tube(
      [
        { at: armPoint(1.8), r: 0.064 },
        { at: armPoint(1.92), r: 0.064 },
      ],
      { side, sides: 16, steps: 1, caps: 0.1 },
    ),
    TEAL,
    "lowerArm.L",
    "satin",
  );
  to.pair(ball(armPoint(2.1), [0.036, 0.036, 0.04], { n: 4 }), DARK, "hand.L", "satin");
  const [x, y, z] = armPoint(2.3);
  for (const [dx, dz, bend] of [
    [0.028, 0.0, 0.012],
    [-0.012, 0.032, -0.004],
    [-0.012, -0.032, -0.004],
  ]) {
    to.pair(
      tube(
        [
          { at: [x + dx * 0.7, y + 0.01, z + dz * 0.7], r: 0.017 },
          { at: [x + dx * 1.3 + 0.01 + bend, y - 0.026, z + dz * 1.35], r: 0.018 },
          { at: [x + dx + 0.026, y - 0.058, z + dz * 1.0], r: 0.015 },
          { at: [x + dx * 0.5 + 0.032, y - 0.072, z + dz * 0.55], r: 0.011 },
        ],
        { side: [1, 0.6, 0.2], sides: 10, steps: 2 },
      ),
      ORANGE,
      "hand.L",
      "satin",
    );
  }
}

function addLeg({ to }: ReturnType<typeof person>): void {
  to.pair(ribs([0.066, 0.265, 0], [0.07, 0.185, 0.007], 0.043, 4, 14), DARK, "upperLeg.L");
  to.pair(ball([0.07, 0.165, 0.008], 0.047, { n: 4 }), ORANGE, "lowerLeg.L", "satin");
  to.pair(
    tube(
      [
        { at: [0.072, 0.055, -0.005], r: 0.064, p: 2.4 },
        { at: [0.071, 0.09, -0.003], r: 0.061, p: 2.4 },
        { at: [0.07, 0.14, 0.005], r: 0.046, p: 2.4 },
      ],
      { sides: 16, steps: 2, caps: 0.2 },
    ),
    (p) => blend(CREAM, "#dccfb4", (0.1 - p[1]) * 12),
    "lowerLeg.L",
    "satin",
  );
  to.pair(
    tube(
      [
        { at: [0.072, 0.062, -0.005], r: 0.067 },
        { at: [0.072, 0.074, -0.005], r: 0.067 },
      ],
      { sides: 16, steps: 1, caps: 0.1 },
    ),
    TEAL,
    "lowerLeg.L",
    "satin",
  );
  const flat = ([x, y, z]: Vec3): Vec3 => [x, Math.max(0, y), z];
  to.pair(
    ball([0.077, 0.026, 0.018], [0.07, 0.05, 0.105], { n: 5, p: 3, warp: flat }),
    TEAL,
    "foot.L",
    "satin",
  );
  to.pair(
    ball([0.077, 0.012, 0.018], [0.076, 0.014, 0.112], { n: 4, p: 3.5, warp: flat }),
    DARK,
    "foot.L",
  );
  to.pair(
    ball([0.077, 0.028, 0.09], [0.062, 0.036, 0.042], { n: 4, p: 2.6, warp: flat }),
    ORANGE,
    shared({ "foot.L": 0.5, "toe.L": 0.5 }),
    "satin",
  );
}
