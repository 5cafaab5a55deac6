import type { SkeletonTemplate } from "./template.ts";

/** Birds and bats with their wings spread. */
export const BIRD: SkeletonTemplate = {
  name: "bird",
  title: "Wings and two legs",
  isLong: false,
  rows: [
    ["hips", "", [0, 0.5, -0.2]],
    ["spine", "hips", [0, 0.55, 0]],
    ["chest", "spine", [0, 0.6, 0.25]],
    ["neck", "chest", [0, 0.7, 0.45]],
    ["head", "neck", [0, 0.8, 0.6]],
    ["wing1.L", "chest", [0.15, 0.6, 0.15]],
    ["wing2.L", "wing1.L", [0.42, 0.6, 0.15]],
    ["wing3.L", "wing2.L", [0.72, 0.6, 0.1]],
    ["leg.L", "hips", [0.1, 0.35, -0.1]],
    ["foot.L", "leg.L", [0.11, 0.08, -0.05]],
    ["tail1", "hips", [0, 0.5, -0.45]],
    ["tail2", "tail1", [0, 0.5, -0.7]],
  ],
  limbs: [
    { tip: "head", root: "chest", end: [0, 0.82, 0.95], aim: [0, 0.6, 1] },
    { tip: "wing3.L", root: "chest", end: [1, 0.6, 0.05], aim: [1, 0, 0] },
    { tip: "foot.L", root: "hips", end: [0.12, 0, 0.05], aim: [0.2, -2, 0] },
    { tip: "tail2", root: "hips", end: [0, 0.5, -1], aim: [0, 0.1, -1] },
  ],
};
