import type { SkeletonTemplate, TemplateRow } from "./template.ts";

const JOINTS = 12;

/** From the tail, which is the root, to the head. */
const rows = Array.from({ length: JOINTS }, (_, i): TemplateRow => {
  const name = i === JOINTS - 1 ? "head" : `spine${i + 1}`;
  return [name, i === 0 ? "" : `spine${i}`, [0, 0.5, -0.96 + (1.8 * i) / (JOINTS - 1)]];
});

/** Snakes, worms and ropes: one chain, coiled or not. */
export const SNAKE: SkeletonTemplate = {
  name: "snake",
  title: "One long body",
  isLong: true,
  rows,
  limbs: [{ tip: "head", root: "spine1", end: [0, 0.5, 1], aim: [0, 0.2, 1] }],
};
