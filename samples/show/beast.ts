import type { Vec3 } from "../../src/math/vec3.ts";
import { limb, type Weigh } from "../body-part.ts";
import { type JointRow, type Rig, rigFrom } from "../rig.ts";
import { type Builder, figure, type Paint } from "./figure.ts";
import { ball, type Ring, tube } from "./shapes.ts";

/** An animal on four legs. */
export interface Beast {
  to: Builder;
  rig: Rig;
  chain(joints: string[], radii?: number, tip?: Vec3): Weigh;
}

/** Starts an animal with the common trunk and legs, and its own joints. */
export function beast(rows: JointRow[]): Beast {
  const rig = rigFrom([
    ["hips", "", [0, 0.36, -0.19]],
    ["spine1", "hips", [0, 0.37, -0.07]],
    ["chest", "spine1", [0, 0.375, 0.06]],
    ["neck", "chest", [0, 0.43, 0.15]],
    ["frontUpper.L", "chest", [0.085, 0.3, 0.1]],
    ["frontLower.L", "frontUpper.L", [0.09, 0.175, 0.085]],
    ["frontFoot.L", "frontLower.L", [0.09, 0.06, 0.1]],
    ["frontToe.L", "frontFoot.L", [0.09, 0.026, 0.135]],
    ["hindUpper.L", "hips", [0.088, 0.32, -0.19]],
    ["hindLower.L", "hindUpper.L", [0.1, 0.19, -0.145]],
    ["hindFoot.L", "hindLower.L", [0.1, 0.095, -0.215]],
    ["hindToe.L", "hindFoot.L", [0.1, 0.026, -0.165]],
    ...rows,
  ]);
  const chain: Beast["chain"] = (joints, radii = 0.05, tip) =>
    limb(rig, joints, new Array(joints.length + (tip ? 1 : 0)).fill(radii), tip ? { tip } : {})
      .weigh;
  return { to: figure(), rig, chain };
}

/** Legs with paws; `thick` widens them, `claw` adds claws. */
export function addLegs({ to, chain }: Beast, paint: Paint, thick: number, claw?: string): void {
  const front: Ring[] = [
    { at: [0.078, 0.33, 0.09], r: [0.05 * thick, 0.07 * thick] },
    { at: [0.087, 0.26, 0.092], r: [0.05 * thick, 0.06 * thick] },
    { at: [0.09, 0.175, 0.087], r: 0.042 * thick },
    { at: [0.09, 0.09, 0.095], r: 0.04 * thick },
    { at: [0.09, 0.045, 0.103], r: 0.041 * thick },
  ];
  to.pair(
    tube(front, { steps: 2 }),
    paint,
    chain(["chest", "frontUpper.L", "frontLower.L", "frontFoot.L"], 0.035, [0, -0.04, 0.01]),
  );
  const hind: Ring[] = [
    { at: [0.078, 0.36, -0.18], r: [0.055 * thick, 0.08 * thick] },
    { at: [0.092, 0.28, -0.172], r: [0.062 * thick, 0.085 * thick] },
    { at: [0.1, 0.195, -0.152], r: [0.048 * thick, 0.056 * thick] },
    { at: [0.1, 0.13, -0.187], r: 0.038 * thick },
    { at: [0.1, 0.09, -0.21], r: 0.036 * thick },
    { at: [0.1, 0.045, -0.2], r: 0.039 * thick },
  ];
  to.pair(
    tube(hind, { steps: 2 }),
    paint,
    chain(["hips", "hindUpper.L", "hindLower.L", "hindFoot.L"], 0.035, [0, -0.05, 0.02]),
  );
  for (const [x, z, kind] of [
    [0.09, 0.125, "front"],
    [0.1, -0.172, "hind"],
  ] as const) {
    const flat = ([px, py, pz]: Vec3): Vec3 => [px, Math.max(0, py), pz];
    to.pair(
      ball([x, 0.03, z], [0.05 * thick, 0.04, 0.066 * thick], { n: 4, p: 2.3, warp: flat }),
      paint,
      `${kind}Toe.L`,
    );
    for (const t of [-1, 0, 1]) {
      const at: Vec3 = [x + 0.026 * t * thick, 0.026, z + (0.055 - 0.009 * t * t) * thick];
      if (claw)
        to.pair(
          tube(
            [
              { at, r: 0.013 },
              { at: [at[0], 0.014, at[2] + 0.03], r: 0.004 },
            ],
            { side: [1, 0, 0], sides: 8, steps: 2 },
          ),
          claw,
          `${kind}Toe.L`,
          "satin",
        );
      else
        to.pair(
          ball(at, [0.016 * thick, 0.022, 0.02], { n: 3, warp: flat }),
          paint,
          `${kind}Toe.L`,
        );
    }
  }
}
