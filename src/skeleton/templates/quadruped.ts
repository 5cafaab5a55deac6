import type { SkeletonTemplate } from "./template.ts";

/** Dogs, horses, lizards: four legs under a body that lies along its length. */
export const QUADRUPED: SkeletonTemplate = {
  name: "quadruped",
  title: "Four legs",
  isLong: true,
  rows: [
    ["hips", "", [0, 0.58, -0.4]],
    ["spine", "hips", [0, 0.6, -0.12]],
    ["chest", "spine", [0, 0.58, 0.28]],
    ["neck", "chest", [0, 0.68, 0.46]],
    ["head", "neck", [0, 0.82, 0.64]],
    ["frontUpper.L", "chest", [0.4, 0.5, 0.3]],
    ["frontLower.L", "frontUpper.L", [0.45, 0.3, 0.28]],
    ["frontFoot.L", "frontLower.L", [0.45, 0.07, 0.32]],
    ["hindUpper.L", "hips", [0.4, 0.5, -0.4]],
    ["hindLower.L", "hindUpper.L", [0.45, 0.3, -0.34]],
    ["hindFoot.L", "hindLower.L", [0.45, 0.09, -0.42]],
    ["tail1", "hips", [0, 0.6, -0.55]],
    ["tail2", "tail1", [0, 0.6, -0.7]],
    ["tail3", "tail2", [0, 0.6, -0.84]],
  ],
  limbs: [
    { tip: "head", root: "chest", end: [0, 0.8, 1], aim: [0, 0.5, 1] },
    { tip: "frontFoot.L", root: "chest", end: [0.45, 0, 0.38], aim: [0.4, -2, 0.7] },
    { tip: "hindFoot.L", root: "hips", end: [0.45, 0, -0.36], aim: [0.4, -2, -0.7] },
    { tip: "tail3", root: "hips", end: [0, 0.6, -1], aim: [0, 0.2, -1] },
  ],
};
