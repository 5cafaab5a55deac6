import type { Character } from "../src/character/character.ts";
import { power } from "../src/math/power.ts";
import { limb, pair, rigid } from "./body-part.ts";
import { type Rig, rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import { ball, ellipsoid, stretched } from "./signed-distance.ts";

/** A fox on four legs with a bushy tail; 30 joints. */
export function makeFox(): Character {
  const rig = foxRig();
  const torso = limb(
    rig,
    ["hips", "spine1", "spine2", "chest", "neck"],
    [0.105, 0.1, 0.105, 0.115, 0.085],
    { steps: 3 },
  );
  const tail = limb(rig, ["tail1", "tail2", "tail3", "tail4"], [0.03, 0.05, 0.07, 0.075, 0.012], {
    tip: [0, 0.08, -0.1],
    steps: 4,
    radius: (share) =>
      0.014 + 0.075 * power(Math.max(0, Math.sin(Math.PI * power(share, 1.35))), 0.9),
  });
  const frontLeg = limb(
    rig,
    ["frontUpper.L", "frontLower.L", "frontFoot.L", "frontToe.L"],
    [0.06, 0.042, 0.03, 0.034, 0.026],
    { tip: [0, -0.005, 0.035] },
  );
  const hindLeg = limb(
    rig,
    ["hindUpper.L", "hindLower.L", "hindFoot.L", "hindToe.L"],
    [0.085, 0.048, 0.03, 0.034, 0.026],
    { tip: [0, -0.005, 0.035] },
  );
  return sculpt("fox", rig, [
    {
      parts: [
        { ...torso, distance: stretched(torso.distance, [0, 0.5, 0], [0.92, 1.05, 1]) },
        ...headParts(rig),
        tail,
        ...pair(frontLeg),
        ...pair(hindLeg),
      ],
      cell: 0.0195,
      blend: 0.05,
      box: { min: [-0.2, 0, -0.92], max: [0.2, 0.95, 0.72] },
    },
  ]);
}

function headParts(rig: Rig) {
  const neck = limb(rig, ["neck", "head"], [0.085, 0.075]);
  const skull = rigid("head", ellipsoid([0, 0.715, 0.43], [0.09, 0.082, 0.1]));
  const snout = limb(rig, ["snout"], [0.055, 0.026], { tip: [0, -0.025, 0.13] });
  const nose = rigid("snout", ball([0, 0.682, 0.632], 0.02));
  const jaw = limb(rig, ["jaw"], [0.036, 0.018], { tip: [0, -0.012, 0.105] });
  const ear = limb(rig, ["ear.L"], [0.046, 0.019], { tip: [0.022, 0.095, -0.01] });
  return [
    neck,
    skull,
    snout,
    nose,
    jaw,
    ...pair({ ...ear, distance: stretched(ear.distance, [0, 0, 0.42], [1, 1, 0.7]) }),
  ];
}

function foxRig(): Rig {
  return rigFrom([
    ["hips", "", [0, 0.5, -0.27]],
    ["spine1", "hips", [0, 0.52, -0.12]],
    ["spine2", "spine1", [0, 0.515, 0.04]],
    ["chest", "spine2", [0, 0.51, 0.19]],
    ["neck", "chest", [0, 0.57, 0.3]],
    ["head", "neck", [0, 0.69, 0.39]],
    ["snout", "head", [0, 0.705, 0.49]],
    ["jaw", "head", [0, 0.66, 0.455]],
    ["ear.L", "head", [0.05, 0.775, 0.42]],
    ["frontUpper.L", "chest", [0.07, 0.45, 0.22]],
    ["frontLower.L", "frontUpper.L", [0.08, 0.28, 0.19]],
    ["frontFoot.L", "frontLower.L", [0.08, 0.09, 0.21]],
    ["frontToe.L", "frontFoot.L", [0.08, 0.034, 0.24]],
    ["hindUpper.L", "hips", [0.07, 0.46, -0.27]],
    ["hindLower.L", "hindUpper.L", [0.085, 0.29, -0.21]],
    ["hindFoot.L", "hindLower.L", [0.085, 0.15, -0.33]],
    ["hindToe.L", "hindFoot.L", [0.085, 0.034, -0.29]],
    ["tail1", "hips", [0, 0.53, -0.36]],
    ["tail2", "tail1", [0, 0.54, -0.47]],
    ["tail3", "tail2", [0, 0.57, -0.58]],
    ["tail4", "tail3", [0, 0.63, -0.69]],
  ]);
}
