import type { Character } from "../src/character/character.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import { limb, pair, rigid } from "./body-part.ts";
import { rigFrom } from "./rig.ts";
import { sculpt } from "./sculpt.ts";
import { ball, plate, smoothUnion, stretched } from "./signed-distance.ts";

/** A fish with a supple spine and fins; 15 joints. */
export function makeFish(): Character {
  const rig = rigFrom([
    ["spine1", "", [0, 0.3, 0.14]],
    ["head", "spine1", [0, 0.3, 0.27]],
    ["jaw", "head", [0, 0.265, 0.36]],
    ["spine2", "spine1", [0, 0.305, 0.01]],
    ["spine3", "spine2", [0, 0.31, -0.12]],
    ["spine4", "spine3", [0, 0.31, -0.24]],
    ["tail", "spine4", [0, 0.31, -0.35]],
    ["tailUp", "tail", [0, 0.35, -0.43]],
    ["tailDown", "tail", [0, 0.27, -0.43]],
    ["dorsal", "spine2", [0, 0.44, 0.02]],
    ["dorsalTip", "dorsal", [0, 0.53, -0.07]],
    ["fin.L", "spine1", [0.09, 0.23, 0.15]],
    ["finTip.L", "fin.L", [0.2, 0.16, 0.08]],
  ]);
  const front = limb(rig, ["spine1", "head"], [0.15, 0.125, 0.04], {
    tip: [0, -0.005, 0.16],
    steps: 5,
  });
  const rear = limb(
    rig,
    ["spine1", "spine2", "spine3", "spine4", "tail"],
    [0.15, 0.155, 0.125, 0.075, 0.05],
    { steps: 5 },
  );
  const jaw = limb(rig, ["jaw"], [0.06, 0.036], { tip: [0, 0.005, 0.055] });
  const slim = (shape: typeof front) => ({
    ...shape,
    distance: stretched(shape.distance, [0, 0.3, 0], [0.66, 1, 1]),
  });
  const fan = (from: Vec3, tips: Vec3[], width: number) =>
    smoothUnion(
      tips.map((tip) => plate(0, from, tip, 0.05, width, 0.018)),
      0.03,
    );
  const fin = limb(rig, ["fin.L", "finTip.L"], [0.05, 0.055, 0.035], { tip: [0.07, -0.05, -0.06] });
  return sculpt("fish", rig, [
    {
      parts: [
        slim(front),
        slim(rear),
        slim(jaw),
        ...pair(rigid("head", ball([0.062, 0.325, 0.34], 0.026))),
        rigid(
          "tailUp",
          fan(
            [0, 0.33, -0.36],
            [
              [0, 0.5, -0.52],
              [0, 0.43, -0.5],
            ],
            0.04,
          ),
        ),
        rigid(
          "tailDown",
          fan(
            [0, 0.29, -0.36],
            [
              [0, 0.12, -0.52],
              [0, 0.19, -0.5],
            ],
            0.04,
          ),
        ),
        rigid(
          "dorsal",
          fan(
            [0, 0.42, 0.06],
            [
              [0, 0.45, -0.1],
              [0, 0.5, 0],
            ],
            0.045,
          ),
        ),
        rigid("dorsalTip", fan([0, 0.48, -0.02], [[0, 0.55, -0.11]], 0.04)),
        ...pair({ ...fin, distance: stretched(fin.distance, [0.09, 0.23, 0.15], [1, 0.8, 1]) }),
      ],
      cell: 0.0175,
      blend: 0.035,
      box: { min: [-0.36, 0.04, -0.6], max: [0.36, 0.64, 0.5] },
    },
  ]);
}
