import type { Character } from "../src/character/character.ts";
import { power } from "../src/math/power.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import { type BodyPart, limb, pair, rigid } from "./body-part.ts";
import { type Rig, rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import { ball, cone, ellipsoid, plate, type SignedDistance, stretched } from "./signed-distance.ts";

/** A dragon with four legs, two wings of skin, a long neck and a longer tail; 51 joints. */
export function makeDragon(): Character {
  const rig = dragonRig();
  const torso = limb(
    rig,
    ["hips", "spine1", "spine2", "chest", "neck1", "neck2", "neck3", "head"],
    [0.1, 0.105, 0.115, 0.115, 0.075, 0.058, 0.05, 0.05],
    { steps: 4 },
  );
  const tail = limb(
    rig,
    ["hips", "tail1", "tail2", "tail3", "tail4", "tail5"],
    [0.1, 0.075, 0.058, 0.045, 0.034, 0.028, 0.024],
    { tip: [0, 0.05, -0.08], steps: 3 },
  );
  const spade = rigid("tail5", plate(0, [0, 0.3, -0.87], [0, 0.4, -0.94], 0.05, 0.026, 0.02));
  return sculpt("dragon", rig, [
    {
      parts: [
        torso,
        tail,
        spade,
        ...headParts(rig),
        ...legParts(rig),
        ...wingParts(rig),
        ...spikes(),
      ],
      cell: 0.028,
      blend: 0.045,
      box: { min: [-0.95, 0, -1.02], max: [0.95, 1, 0.78] },
    },
  ]);
}

function headParts(rig: Rig): BodyPart[] {
  const snout = limb(rig, ["snout"], [0.05, 0.036], { tip: [0, -0.03, 0.11] });
  const jaw = limb(rig, ["jaw"], [0.036, 0.027], { tip: [0, -0.03, 0.12] });
  const horn = limb(rig, ["horn.L"], [0.032, 0.024], { tip: [0.035, 0.075, -0.13] });
  return [
    rigid("head", ellipsoid([0, 0.84, 0.535], [0.068, 0.06, 0.085])),
    snout,
    jaw,
    ...pair(rigid("snout", ball([0.022, 0.838, 0.68], 0.025))),
    ...pair(rigid("head", ball([0.05, 0.87, 0.565], 0.026))),
    ...pair(horn),
  ];
}

function legParts(rig: Rig): BodyPart[] {
  const leg = (end: string, thick: number) =>
    limb(
      rig,
      [`${end}Upper.L`, `${end}Lower.L`, `${end}Foot.L`, `${end}Toe.L`],
      [thick, 0.055, 0.042, 0.046, 0.034],
      { tip: [0.005, -0.006, 0.055] },
    );
  return [...pair(leg("front", 0.075)), ...pair(leg("hind", 0.1))];
}

const WING_HEIGHT = 0.66;

/** How much a wing rises at a position: towards the tip, and more at its front edge. */
function lift(x: number, z: number): number {
  const far = Math.max(0, Math.abs(x) - 0.1);
  return 0.34 * power(far, 0.9) + 0.45 * Math.min(1, far * 5) * (z - 0.1);
}

/** Finger bones with thin skin between them, along the rise of the wing. */
function wingParts(rig: Rig): BodyPart[] {
  const arm = limb(rig, ["wing1.L", "wing2.L", "wing3.L"], [0.042, 0.036, 0.034]);
  const fingers = ["finger1", "finger2", "finger3"].map((name, i) => {
    const tip: Vec3 = subtractPlaces(onWing(...FINGER_TIPS[i]), rig.place(`${name}b.L`));
    return limb(rig, [`${name}a.L`, `${name}b.L`], [0.034, 0.03, 0.026], { tip });
  });
  const raised = (shape: SignedDistance): SignedDistance => {
    return (x, y, z) => 0.85 * shape(x, y - lift(x, z), z);
  };
  const skin = (
    joint: string,
    from: [number, number],
    to: [number, number],
    ra: number,
    rb: number,
  ) =>
    rigid(
      joint,
      raised(plate(1, [from[0], WING_HEIGHT, from[1]], [to[0], WING_HEIGHT, to[1]], ra, rb, 0.021)),
    );
  return [
    arm,
    ...fingers,
    skin("wing1.L", [0.17, 0.02], [0.2, -0.2], 0.09, 0.09),
    skin("wing2.L", [0.28, 0.03], [0.33, -0.24], 0.08, 0.085),
    skin("finger3a.L", [0.38, 0.04], [0.42, -0.17], 0.06, 0.09),
    skin("finger3b.L", [0.43, -0.14], [0.46, -0.28], 0.08, 0.07),
    skin("finger2a.L", [0.46, 0.06], [0.57, -0.08], 0.05, 0.09),
    skin("finger2b.L", [0.57, -0.08], [0.64, -0.2], 0.08, 0.06),
    skin("finger1a.L", [0.52, 0.1], [0.66, 0.03], 0.045, 0.07),
    skin("finger1b.L", [0.68, 0.02], [0.78, -0.04], 0.06, 0.05),
  ].flatMap(pair);
}

/** Ends of the fingers of a wing, x and z. */
const FINGER_TIPS: [number, number][] = [
  [0.88, -0.06],
  [0.71, -0.28],
  [0.49, -0.36],
];

function onWing(x: number, z: number): Vec3 {
  return [x, WING_HEIGHT + lift(x, z), z];
}

function subtractPlaces(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** A row of blunt spikes along the back. */
function spikes(): BodyPart[] {
  const row: [string, Vec3, number][] = [
    ["neck2", [0, 0.8, 0.34], 0.05],
    ["neck1", [0, 0.71, 0.25], 0.055],
    ["chest", [0, 0.66, 0.12], 0.06],
    ["spine2", [0, 0.64, 0], 0.06],
    ["spine1", [0, 0.63, -0.12], 0.06],
    ["hips", [0, 0.61, -0.25], 0.055],
    ["tail1", [0, 0.53, -0.38], 0.05],
    ["tail2", [0, 0.43, -0.5], 0.045],
  ];
  return row.map(([joint, [x, y, z], size]) => {
    const shape = cone([x, y, z], [x, y + size, z - size * 0.6], 0.03, 0.022);
    return rigid(joint, stretched(shape, [0, 0, 0], [0.9, 1, 1]));
  });
}

function dragonRig(): Rig {
  return rigFrom([
    ["hips", "", [0, 0.52, -0.22]],
    ["spine1", "hips", [0, 0.54, -0.1]],
    ["spine2", "spine1", [0, 0.55, 0.02]],
    ["chest", "spine2", [0, 0.56, 0.14]],
    ["neck1", "chest", [0, 0.63, 0.26]],
    ["neck2", "neck1", [0, 0.73, 0.34]],
    ["neck3", "neck2", [0, 0.81, 0.41]],
    ["head", "neck3", [0, 0.845, 0.49]],
    ["snout", "head", [0, 0.845, 0.58]],
    ["jaw", "head", [0, 0.8, 0.54]],
    ["horn.L", "head", [0.04, 0.885, 0.5]],
    ["tail1", "hips", [0, 0.46, -0.36]],
    ["tail2", "tail1", [0, 0.37, -0.49]],
    ["tail3", "tail2", [0, 0.3, -0.61]],
    ["tail4", "tail3", [0, 0.265, -0.72]],
    ["tail5", "tail4", [0, 0.27, -0.82]],
    ["frontUpper.L", "chest", [0.09, 0.5, 0.15]],
    ["frontLower.L", "frontUpper.L", [0.115, 0.31, 0.1]],
    ["frontFoot.L", "frontLower.L", [0.12, 0.11, 0.14]],
    ["frontToe.L", "frontFoot.L", [0.125, 0.046, 0.18]],
    ["hindUpper.L", "hips", [0.085, 0.47, -0.22]],
    ["hindLower.L", "hindUpper.L", [0.125, 0.31, -0.14]],
    ["hindFoot.L", "hindLower.L", [0.13, 0.15, -0.29]],
    ["hindToe.L", "hindFoot.L", [0.135, 0.046, -0.24]],
    ["wing1.L", "chest", onWing(0.08, 0.08)],
    ["wing2.L", "wing1.L", onWing(0.27, 0.08)],
    ["wing3.L", "wing2.L", onWing(0.45, 0.13)],
    ["finger1a.L", "wing3.L", onWing(0.48, 0.12)],
    ["finger1b.L", "finger1a.L", onWing(0.69, 0.06)],
    ["finger2a.L", "wing3.L", onWing(0.47, 0.1)],
    ["finger2b.L", "finger2a.L", onWing(0.6, -0.08)],
    ["finger3a.L", "wing3.L", onWing(0.44, 0.09)],
    ["finger3b.L", "finger3a.L", onWing(0.46, -0.12)],
  ]);
}
