import type { SkeletonTemplate, TemplateLimb, TemplateRow } from "./template.ts";

/** Where the legs of one side point, in degrees from the front. */
const ANGLES = [35, 70, 110, 145];

const way = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return { x: Math.sin(angle), z: Math.cos(angle) };
};

/** Spiders and crabs: eight legs around a body. */
export const SPIDER: SkeletonTemplate = {
  name: "spider",
  title: "Eight legs",
  isLong: false,
  rows: [
    ["body", "", [0, 0.5, 0.1]],
    ["head", "body", [0, 0.5, 0.35]],
    ["abdomen", "body", [0, 0.55, -0.25]],
    ...ANGLES.flatMap((degrees, i): TemplateRow[] => {
      const { x, z } = way(degrees);
      const joint = (part: string) => `leg${i + 1}${part}.L`;
      return [
        [joint("Upper"), "body", [0.2 * x, 0.5, 0.2 * z]],
        [joint("Middle"), joint("Upper"), [0.5 * x, 0.7, 0.5 * z]],
        [joint("Lower"), joint("Middle"), [0.8 * x, 0.35, 0.8 * z]],
      ];
    }),
  ],
  limbs: ANGLES.map((degrees, i): TemplateLimb => {
    const { x, z } = way(degrees);
    return {
      tip: `leg${i + 1}Lower.L`,
      root: "body",
      end: [x, 0.02, z],
      aim: [x, -0.2, z],
    };
  }),
};
