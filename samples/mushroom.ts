import type { Character } from "../src/character/character.ts";
import { limb, pair, rigid } from "./body-part.ts";
import { rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import {
  ball,
  ellipsoid,
  roundBox,
  type SignedDistance,
  smoothDifference,
  smoothUnion,
} from "./signed-distance.ts";

/** A walking mushroom and a ball that floats next to it without touching; 14 joints, 2 parts. */
export function makeMushroom(): Character {
  const rig = rigFrom([
    ["root", "", [0, 0.14, 0]],
    ["stem1", "root", [0, 0.22, 0]],
    ["stem2", "stem1", [0, 0.36, 0]],
    ["cap", "stem2", [0, 0.52, 0]],
    ["capTop", "cap", [0, 0.7, 0]],
    ["arm.L", "stem1", [0.13, 0.31, 0.02]],
    ["hand.L", "arm.L", [0.23, 0.25, 0.05]],
    ["leg.L", "root", [0.075, 0.14, 0]],
    ["foot.L", "leg.L", [0.085, 0.045, 0.01]],
    ["ball", "root", [0.57, 0.7, -0.06]],
  ]);
  const stem = limb(rig, ["root", "stem1", "stem2", "cap"], [0.12, 0.145, 0.125, 0.1], {
    steps: 3,
  });
  const arm = limb(rig, ["arm.L", "hand.L"], [0.035, 0.032, 0.045], { tip: [0.045, -0.035, 0.02] });
  const leg = limb(rig, ["leg.L", "foot.L"], [0.05, 0.048, 0.042], { tip: [0.005, 0, 0.06] });
  const eye = rigid("stem2", ellipsoid([0.052, 0.345, 0.128], [0.026, 0.036, 0.022]));
  return sculpt("mushroom", rig, [
    {
      parts: [
        stem,
        { distance: capShape(), weigh: capWeights },
        ...pair(arm),
        ...pair(leg),
        ...pair(eye),
      ],
      cell: 0.0225,
      blend: 0.03,
      box: { min: [-0.4, 0, -0.4], max: [0.4, 0.9, 0.4] },
    },
    {
      parts: [rigid("ball", ball([0.57, 0.7, -0.06], 0.085))],
      cell: 0.024,
      blend: 0,
      box: { min: [0.47, 0.6, -0.16], max: [0.67, 0.8, 0.04] },
    },
  ]);
}

/** A dome, hollow from below, with round spots on it. */
function capShape(): SignedDistance {
  const dome = ellipsoid([0, 0.535, 0], [0.35, 0.27, 0.35]);
  const hollow = smoothUnion(
    [ellipsoid([0, 0.43, 0], [0.31, 0.11, 0.31]), roundBox([0, 0.28, 0], [0.5, 0.2, 0.5], 0.05)],
    0.05,
  );
  const spots = [
    [0.1, 0.6],
    [1.4, 0.85],
    [2.6, 0.55],
    [3.7, 0.8],
    [4.6, 0.5],
    [5.5, 0.95],
    [0, 0.02],
  ].map(([around, down]) => {
    const place = [
      0.345 * Math.sin(down) * Math.cos(around),
      0.535 + 0.265 * Math.cos(down),
      0.345 * Math.sin(down) * Math.sin(around),
    ];
    return ellipsoid(place, [0.06, 0.035, 0.06]);
  });
  return smoothUnion([smoothDifference(dome, hollow, 0.05), ...spots], 0.02);
}

/** Towards its top, the cap follows its own joint more and more. */
function capWeights(p: ArrayLike<number>, give: (joint: string, amount: number) => void): void {
  const t = Math.min(1, Math.max(0, (p[1] - 0.56) / 0.2));
  const top = t * t * (3 - 2 * t);
  give("cap", 1 - top);
  give("capTop", top);
}
