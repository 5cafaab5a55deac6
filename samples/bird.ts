import type { Character } from "../src/character/character.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import { type BodyPart, limb, pair, rigid } from "./body-part.ts";
import { type Rig, rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import { ball, cone, ellipsoid, plate, type SignedDistance } from "./signed-distance.ts";

/** A bird with its wings spread; 30 joints. */
export function makeBird(): Character {
  const rig = birdRig();
  const torso = limb(
    rig,
    ["hips", "spine", "chest", "neck", "head"],
    [0.075, 0.105, 0.115, 0.07, 0.06],
    {
      steps: 4,
    },
  );
  const leg = limb(rig, ["upperLeg.L", "lowerLeg.L", "foot.L"], [0.05, 0.026, 0.022, 0.021], {
    tip: [0.004, -0.012, 0.065],
  });
  const toes = [-0.045, 0.055].map((x) =>
    rigid("foot.L", cone([0.075, 0.045, -0.005], [0.075 + x, 0.024, 0.055], 0.021, 0.02)),
  );
  const spur = rigid("foot.L", cone([0.075, 0.045, -0.005], [0.075, 0.024, -0.065], 0.021, 0.02));
  return sculpt("bird", rig, [
    {
      parts: [
        torso,
        ...headParts(rig),
        ...wingParts(rig).flatMap(pair),
        ...tailParts(rig),
        ...[leg, ...toes, spur].flatMap(pair),
      ],
      cell: 0.0232,
      blend: 0.035,
      box: { min: [-0.92, 0, -0.56], max: [0.92, 0.78, 0.44] },
    },
  ]);
}

function headParts(rig: Rig): BodyPart[] {
  return [
    rigid("head", ellipsoid([0, 0.64, 0.235], [0.07, 0.07, 0.08])),
    limb(rig, ["beak"], [0.036, 0.017], { tip: [0, -0.03, 0.1] }),
    limb(rig, ["jaw"], [0.024, 0.016], { tip: [0, -0.012, 0.062] }),
    ...pair(rigid("head", ball([0.056, 0.655, 0.27], 0.021))),
  ];
}

/** How much a spread wing rises at a position: towards the tip, and more at its front edge. */
function lift(x: number, z: number): number {
  const far = Math.min(1, Math.max(0, Math.abs(x) - 0.1) / 0.8);
  return 0.17 * Math.sin(far * 2.2) + 0.4 * Math.min(1, far * 4) * (z - 0.05);
}

/** Moves a shape made flat at shoulder height onto the rise of the wing. */
function raised(shape: SignedDistance): SignedDistance {
  return (x, y, z) => 0.85 * shape(x, y - lift(x, z), z);
}

const SHOULDER_HEIGHT = 0.5;

/** Half the thickness of feathers. */
const THICKNESS = 0.02;

function wingParts(rig: Rig): BodyPart[] {
  const arm = limb(
    rig,
    ["wing1.L", "wing2.L", "wing3.L", "wing4.L"],
    [0.06, 0.055, 0.05, 0.045, 0.03],
    {
      tip: [0.13, 0.02, -0.03],
    },
  );
  const feather = (joint: string, from: Vec3, to: Vec3, width: number) =>
    rigid(joint, raised(plate(1, from, to, width * 0.8, width, THICKNESS)));
  const y = SHOULDER_HEIGHT;
  return [
    arm,
    feather("feathers1.L", [0.15, y, 0.02], [0.14, y, -0.16], 0.1),
    feather("feathers1.L", [0.24, y, 0.02], [0.25, y, -0.19], 0.1),
    feather("feathers2.L", [0.36, y, 0.02], [0.38, y, -0.21], 0.095),
    feather("feathers2.L", [0.46, y, 0.02], [0.51, y, -0.22], 0.09),
    feather("feathers3.L", [0.56, y, 0.02], [0.63, y, -0.21], 0.08),
    feather("feathers3.L", [0.62, y, 0.01], [0.74, y, -0.17], 0.075),
    feather("wing4.L", [0.66, y, 0.01], [0.83, y, -0.09], 0.07),
  ];
}

function tailParts(rig: Rig): BodyPart[] {
  const root = limb(rig, ["hips", "tail"], [0.07, 0.045]);
  const flat = (joint: string, to: Vec3, width: number) =>
    rigid(joint, plate(1, rig.place("tail"), to, 0.05, width, THICKNESS));
  return [
    root,
    flat("tail", [0, 0.4, -0.46], 0.06),
    ...pair(flat("tailFan.L", [0.1, 0.4, -0.44], 0.055)),
  ];
}

function birdRig(): Rig {
  const onWing = (x: number, z: number): Vec3 => [x, SHOULDER_HEIGHT + lift(x, z), z];
  return rigFrom([
    ["hips", "", [0, 0.39, -0.14]],
    ["spine", "hips", [0, 0.42, -0.05]],
    ["chest", "spine", [0, 0.46, 0.06]],
    ["neck", "chest", [0, 0.55, 0.15]],
    ["head", "neck", [0, 0.625, 0.2]],
    ["beak", "head", [0, 0.64, 0.3]],
    ["jaw", "head", [0, 0.605, 0.29]],
    ["wing1.L", "chest", onWing(0.09, 0.05)],
    ["wing2.L", "wing1.L", onWing(0.28, 0.035)],
    ["wing3.L", "wing2.L", onWing(0.49, 0.055)],
    ["wing4.L", "wing3.L", onWing(0.64, 0.02)],
    ["feathers1.L", "wing1.L", onWing(0.2, -0.04)],
    ["feathers2.L", "wing2.L", onWing(0.42, -0.05)],
    ["feathers3.L", "wing3.L", onWing(0.6, -0.05)],
    ["tail", "hips", [0, 0.38, -0.24]],
    ["tailFan.L", "tail", [0.04, 0.385, -0.3]],
    ["upperLeg.L", "hips", [0.06, 0.33, -0.06]],
    ["lowerLeg.L", "upperLeg.L", [0.072, 0.19, -0.03]],
    ["foot.L", "lowerLeg.L", [0.075, 0.045, -0.005]],
  ]);
}
