import type { SkeletonTemplate } from "./template.ts";

/** Fish: a spine along the body, and fins. */
export const FISH: SkeletonTemplate = {
  name: "fish",
  title: "Fins and a tail",
  isLong: true,
  rows: [
    ["body", "", [0, 0.5, 0.25]],
    ["head", "body", [0, 0.5, 0.6]],
    ["spine1", "body", [0, 0.5, -0.05]],
    ["spine2", "spine1", [0, 0.5, -0.32]],
    ["tail1", "spine2", [0, 0.5, -0.58]],
    ["tail2", "tail1", [0, 0.5, -0.78]],
    ["fin.L", "body", [0.45, 0.4, 0.2]],
    ["finTip.L", "fin.L", [0.75, 0.35, 0.1]],
  ],
  limbs: [
    { tip: "head", root: "body", end: [0, 0.5, 1], aim: [0, 0, 1] },
    { tip: "tail2", root: "body", end: [0, 0.5, -1], aim: [0, 0, -1] },
    { tip: "finTip.L", root: "body", end: [1, 0.33, 0], aim: [1, 0, 0] },
  ],
};
