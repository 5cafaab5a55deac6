import type { Character } from "../src/character/character.ts";
import { power } from "../src/math/power.ts";
import { lerp, type Vec3 } from "../src/math/vec3.ts";
import { type BodyPart, limb, pair, rigid } from "./body-part.ts";
import { type JointRow, type Rig, rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import { ball, ellipsoid } from "./signed-distance.ts";

const TENTACLES = 8;
const JOINTS = 5;

/** An octopus of eight tentacles of five joints each; 43 joints. */
export function makeOctopus(): Character {
  const rig = octopusRig();
  const tentacles = Array.from({ length: TENTACLES }, (_, i): BodyPart => {
    const names = tentacleNames(i);
    const tip = tentaclePoint(i, 1);
    const last = rig.place(names[JOINTS - 1]);
    return limb(rig, names, [0.078, 0.066, 0.054, 0.045, 0.037, 0.026], {
      tip: [tip[0] - last[0], tip[1] - last[1], tip[2] - last[2]],
      steps: 4,
    });
  });
  const eye = rigid("head", ball([0.085, 0.4, 0.13], 0.045));
  return sculpt("octopus", rig, [
    {
      parts: [
        rigid("body", ellipsoid([0, 0.235, 0], [0.15, 0.105, 0.15])),
        limb(rig, ["body", "head", "mantle"], [0.12, 0.14, 0.185, 0.11], {
          tip: [0, 0.16, -0.1],
          steps: 7,
        }),
        ...pair(eye),
        ...tentacles,
      ],
      cell: 0.0245,
      blend: 0.055,
      box: { min: [-0.75, -0.02, -0.75], max: [0.75, 0.9, 0.75] },
    },
  ]);
}

function tentacleNames(tentacle: number): string[] {
  return Array.from({ length: JOINTS }, (_, i) => `tentacle${tentacle + 1}.${i + 1}`);
}

/** Length of a tentacle. */
const LENGTH = 0.74;

/**
 * A point on the center line of a tentacle. Its slope changes steadily from downward at the body over level on the
 * floor to upward at the tip, while it drifts to one side; neighbors differ, so that they do not touch.
 */
function tentaclePoint(tentacle: number, share: number): Vec3 {
  const around = ((tentacle + 0.5) / TENTACLES) * 2 * Math.PI;
  const even = tentacle % 2 === 0;
  const place: Vec3 = [0.11 * Math.sin(around), 0.21, 0.11 * Math.cos(around)];
  const steps = 40;
  for (let i = 0; i < steps * share; i++) {
    const s = (i + 0.5) / steps;
    const slope = -0.95 + (even ? 2.6 : 2.1) * power(s, 1.15);
    const heading = around + (even ? 0.75 : -0.55) * s;
    const stride = Math.min(1, steps * share - i) * (LENGTH / steps);
    place[0] += stride * Math.cos(slope) * Math.sin(heading);
    place[1] += stride * Math.sin(slope);
    place[2] += stride * Math.cos(slope) * Math.cos(heading);
  }
  return place;
}

function octopusRig(): Rig {
  const rows: JointRow[] = [
    ["body", "", [0, 0.24, 0]],
    ["head", "body", [0, 0.38, 0.01]],
    ["mantle", "head", [0, 0.54, -0.04]],
  ];
  for (let i = 0; i < TENTACLES; i++) {
    const names = tentacleNames(i);
    names.forEach((name, k) => {
      const place = tentaclePoint(i, k / JOINTS);
      // The first joint is a little inside the body, as riggers place it.
      const seat = k === 0 ? lerp(place, [0, 0.22, 0], 0.2) : place;
      rows.push([name, k === 0 ? "body" : names[k - 1], seat]);
    });
  }
  return rigFrom(rows);
}
