import type { SkeletonTemplate } from "./template.ts";

/** People, and whatever walks on two legs with its arms off the body. */
export const BIPED: SkeletonTemplate = {
  name: "biped",
  title: "Two legs, two arms",
  isLong: false,
  rows: [
    ["hips", "", [0, 0.53, 0]],
    ["spine", "hips", [0, 0.6, 0]],
    ["chest", "spine", [0, 0.69, 0]],
    ["neck", "chest", [0, 0.8, 0]],
    ["head", "neck", [0, 0.86, 0]],
    ["shoulder.L", "chest", [0.09, 0.76, 0]],
    ["upperArm.L", "shoulder.L", [0.25, 0.76, 0]],
    ["lowerArm.L", "upperArm.L", [0.54, 0.76, 0]],
    ["hand.L", "lowerArm.L", [0.82, 0.76, 0]],
    ["upperLeg.L", "hips", [0.11, 0.5, 0]],
    ["lowerLeg.L", "upperLeg.L", [0.12, 0.28, 0]],
    ["foot.L", "lowerLeg.L", [0.13, 0.06, -0.1]],
    ["toe.L", "foot.L", [0.13, 0.02, 0.4]],
  ],
  limbs: [
    { tip: "hand.L", root: "chest", end: [1, 0.76, 0], aim: [1, 0, 0] },
    { tip: "toe.L", root: "hips", end: [0.13, 0.01, 0.9], aim: [0.1, -1, 0.15] },
  ],
};
