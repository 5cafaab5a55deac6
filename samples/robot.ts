import type { Character } from "../src/character/character.ts";
import { rigid } from "./body-part.ts";
import { otherSide, type Rig, rigFrom } from "./rig.ts";
import { type Shell, sculpt } from "./sculpt.ts";
import {
  ball,
  cone,
  ellipsoid,
  roundBox,
  type SignedDistance,
  smoothDifference,
  smoothUnion,
} from "./signed-distance.ts";
import type { Box } from "./surface-nets.ts";

/**
 * A robot of separate rigid parts. Each part follows exactly one joint with weight 1, so its known weights are
 * certain; 24 joints, 24 parts.
 */
export function makeRobot(): Character {
  const rig = robotRig();
  const shells = PARTS.flatMap((part) => {
    const other = part.joint.endsWith(".L") ? [mirrorPart(part)] : [];
    return [part, ...other].map(shellOf);
  });
  return sculpt("robot", rig, shells);
}

interface RobotPart {
  joint: string;
  shape: SignedDistance;
  box: Box;
}

/** Side of a grid cell; the rounding of every edge is wider. */
const CELL = 0.017;

function shellOf({ joint, shape, box }: RobotPart): Shell {
  return { parts: [rigid(joint, shape)], cell: CELL, blend: 0, box, smoothing: 0 };
}

function mirrorPart({ joint, shape, box }: RobotPart): RobotPart {
  const { min, max } = box;
  return {
    joint: otherSide(joint),
    shape: (x, y, z) => shape(-x, y, z),
    box: { min: [-max[0], min[1], min[2]], max: [-min[0], max[1], max[2]] },
  };
}

function box(...[x0, y0, z0, x1, y1, z1]: number[]): Box {
  return { min: [x0, y0, z0], max: [x1, y1, z1] };
}

const PARTS: RobotPart[] = [
  {
    joint: "hips",
    shape: smoothUnion(
      [roundBox([0, 0.475, 0], [0.105, 0.035, 0.065], 0.025), ball([0, 0.45, 0], 0.07)],
      0.02,
    ),
    box: box(-0.12, 0.36, -0.09, 0.12, 0.53, 0.09),
  },
  {
    joint: "waist",
    shape: ellipsoid([0, 0.55, 0], [0.06, 0.03, 0.055]),
    box: box(-0.07, 0.51, -0.07, 0.07, 0.59, 0.07),
  },
  {
    joint: "chest",
    shape: smoothDifference(
      smoothUnion(
        [
          roundBox([0, 0.695, 0], [0.145, 0.1, 0.09], 0.04),
          roundBox([0, 0.7, -0.1], [0.085, 0.075, 0.04], 0.025),
        ],
        0.03,
      ),
      ball([0, 0.705, 0.125], 0.065),
      0.02,
    ),
    box: box(-0.16, 0.58, -0.16, 0.16, 0.81, 0.11),
  },
  {
    joint: "core",
    shape: ball([0, 0.705, 0.102], 0.034),
    box: box(-0.04, 0.66, 0.06, 0.04, 0.75, 0.15),
  },
  {
    joint: "head",
    shape: smoothDifference(
      smoothUnion(
        [
          roundBox([0, 0.915, 0.005], [0.1, 0.072, 0.085], 0.045),
          cone([0, 0.82, 0], [0, 0.87, 0], 0.034, 0.04),
        ],
        0.02,
      ),
      roundBox([0, 0.925, 0.1], [0.078, 0.036, 0.04], 0.03),
      0.015,
    ),
    box: box(-0.12, 0.77, -0.1, 0.12, 1, 0.1),
  },
  {
    joint: "eye.L",
    shape: ball([0.036, 0.925, 0.075], 0.024),
    box: box(0.01, 0.89, 0.04, 0.07, 0.96, 0.11),
  },
  {
    joint: "antenna",
    shape: smoothUnion(
      [cone([0, 1.01, 0], [0, 1.07, -0.015], 0.016, 0.014), ball([0, 1.085, -0.018], 0.028)],
      0.01,
    ),
    box: box(-0.04, 0.98, -0.06, 0.04, 1.13, 0.03),
  },
  {
    joint: "shoulder.L",
    shape: ball([0.2, 0.74, 0], 0.048),
    box: box(0.14, 0.68, -0.06, 0.26, 0.8, 0.06),
  },
  {
    joint: "upperArm.L",
    shape: cone([0.258, 0.675, 0], [0.3, 0.61, 0], 0.038, 0.034),
    box: box(0.2, 0.56, -0.05, 0.35, 0.73, 0.05),
  },
  {
    joint: "lowerArm.L",
    shape: smoothUnion(
      [
        cone([0.345, 0.53, 0], [0.365, 0.49, 0.01], 0.036, 0.04),
        cone([0.37, 0.48, 0.01], [0.395, 0.43, 0.02], 0.052, 0.05),
      ],
      0.02,
    ),
    box: box(0.29, 0.36, -0.06, 0.46, 0.58, 0.09),
  },
  {
    joint: "hand.L",
    shape: ball([0.432, 0.345, 0.035], 0.036),
    box: box(0.38, 0.3, -0.02, 0.48, 0.39, 0.09),
  },
  {
    joint: "claw.L",
    shape: smoothUnion(
      [
        cone([0.478, 0.29, 0.085], [0.498, 0.225, 0.07], 0.026, 0.02),
        cone([0.425, 0.28, 0.105], [0.418, 0.225, 0.095], 0.026, 0.02),
        cone([0.425, 0.28, 0.105], [0.478, 0.29, 0.085], 0.026, 0.026),
      ],
      0.015,
    ),
    box: box(0.37, 0.19, 0.03, 0.54, 0.34, 0.15),
  },
  {
    joint: "upperLeg.L",
    shape: cone([0.095, 0.355, 0], [0.1, 0.29, 0], 0.047, 0.041),
    box: box(0.03, 0.23, -0.06, 0.16, 0.42, 0.06),
  },
  {
    joint: "lowerLeg.L",
    shape: smoothUnion(
      [
        ball([0.102, 0.2, 0.004], 0.042),
        cone([0.103, 0.165, 0], [0.108, 0.11, -0.004], 0.045, 0.058),
      ],
      0.025,
    ),
    box: box(0.03, 0.03, -0.08, 0.19, 0.26, 0.08),
  },
  {
    joint: "foot.L",
    shape: roundBox([0.112, 0.022, 0.035], [0.062, 0.024, 0.1], 0.02),
    box: box(0.03, -0.02, -0.09, 0.19, 0.06, 0.15),
  },
];

function robotRig(): Rig {
  return rigFrom([
    ["hips", "", [0, 0.475, 0]],
    ["waist", "hips", [0, 0.53, 0]],
    ["chest", "waist", [0, 0.58, 0]],
    ["core", "chest", [0, 0.705, 0.09]],
    ["head", "chest", [0, 0.81, 0]],
    ["eye.L", "head", [0.036, 0.925, 0.07]],
    ["antenna", "head", [0, 0.99, 0]],
    ["shoulder.L", "chest", [0.17, 0.745, 0]],
    ["upperArm.L", "shoulder.L", [0.23, 0.71, 0]],
    ["lowerArm.L", "upperArm.L", [0.325, 0.57, 0]],
    ["hand.L", "lowerArm.L", [0.415, 0.385, 0.025]],
    ["claw.L", "hand.L", [0.447, 0.312, 0.06]],
    ["upperLeg.L", "hips", [0.09, 0.41, 0]],
    ["lowerLeg.L", "upperLeg.L", [0.102, 0.23, 0]],
    ["foot.L", "lowerLeg.L", [0.11, 0.05, 0]],
  ]);
}
