import { InputError } from "../input-error.ts";
import type { Vec3 } from "../math/vec3.ts";
import type { Skeleton } from "./skeleton.ts";

/** A joint of a template: name, parent's name (empty at a root), position in the bounding box. */
export type TemplateRow = [name: string, parent: string, position: [number, number, number]];

/** A limb of a template: from a joint of the trunk to an extremity of the body. */
export interface TemplateLimb {
  /** The last joint; the limb is all joints from here up to, not including, `root`. */
  tip: string;
  root: string;
  /** The end of the limb, as a position in the box. */
  end: [number, number, number];
  /** The direction in which the end is the farthest point of the body, in the box. */
  aim: [number, number, number];
}

/**
 * A skeleton to fit into bodies of one kind.
 *
 * Positions are relative to the bounding box: x and z from -1 to 1 (left and front positive), y from 0 to 1.
 * A row or limb whose name ends in .L stands for its mirror image .R as well.
 */
export interface SkeletonTemplate {
  name: string;
  title: string;
  rows: TemplateRow[];
  limbs: TemplateLimb[];
  /** Whether bodies of this kind are longer than wide, so that a wide one must be rotated. */
  isLong: boolean;
}

/** Returns the rows and limbs of a template with both sides. */
export function bothSides({
  rows,
  limbs,
}: SkeletonTemplate): Pick<SkeletonTemplate, "rows" | "limbs"> {
  const image = ([x, y, z]: [number, number, number]): [number, number, number] => [-x, y, z];
  const otherRow = ([name, parent, position]: TemplateRow): TemplateRow => [
    otherSide(name),
    otherSide(parent),
    image(position),
  ];
  const otherLimb = ({ tip, root, end, aim }: TemplateLimb): TemplateLimb => ({
    tip: otherSide(tip),
    root: otherSide(root),
    end: image(end),
    aim: image(aim),
  });
  return {
    rows: [...rows, ...rows.filter(([name]) => hasSide(name)).map(otherRow)],
    limbs: limbs.flatMap((limb) => (hasSide(limb.tip) ? [limb, otherLimb(limb)] : [limb])),
  };
}

/** Creates a skeleton with the joints of some rows, all at the origin. */
export function skeletonOfRows(rows: readonly TemplateRow[]): Skeleton {
  const numbers = new Map(rows.map(([name], joint) => [name, joint]));
  return {
    names: rows.map(([name]) => name),
    parents: Int32Array.from(rows, ([, parent]) => numbers.get(parent) ?? -1),
    positions: new Float32Array(rows.length * 3),
  };
}

function hasSide(name: string): boolean {
  return name.endsWith(".L");
}

function otherSide(name: string): string {
  return hasSide(name) ? `${name.slice(0, -1)}R` : name;
}

/** People, and other bodies on two legs with arms away from the body. */
const BIPED: SkeletonTemplate = {
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

/** Options for {@link bipedTemplate}. */
export interface BipedOptions {
  /** Fingers per hand, 0 to 5: three are thumb, index and little finger; four have no ring finger. */
  fingers?: number | undefined;
  /** Joints of the spine between hips and neck, 1 to 6; default 2. */
  spine?: number | undefined;
}

const FINGER_NAMES = ["thumb", "index", "middle", "ring", "little"];
/** Fingers by number of fingers. */
const FINGER_SETS: Record<number, number[]> = {
  0: [],
  1: [1],
  2: [0, 1],
  3: [0, 1, 4],
  4: [0, 1, 2, 4],
  5: [0, 1, 2, 3, 4],
};

/** Returns the template of a biped with fingers and a number of spine joints. */
export function bipedTemplate({ fingers = 0, spine = 2 }: BipedOptions = {}): SkeletonTemplate {
  const low: Vec3 = [0, 0.53, 0];
  const chest: Vec3 = [0, 0.69, 0];
  const names = Array.from({ length: spine }, (_, i) =>
    i === spine - 1 ? (spine === 1 ? "spine" : "chest") : `spine${i || ""}`,
  );
  const top = names[spine - 1];
  const trunk = names.map((name, i): TemplateRow => {
    const t = spine === 1 ? 0.7 : 0.44 + (0.56 * i) / (spine - 1);
    const at = low.map((value, axis) => value + t * (chest[axis] - value)) as Vec3;
    return [name, i === 0 ? "hips" : names[i - 1], at];
  });
  const rest = BIPED.rows.filter(([name]) => !["hips", "spine", "chest"].includes(name));
  return {
    ...BIPED,
    rows: [
      BIPED.rows[0],
      ...trunk,
      ...rest.map(
        ([name, parent, at]): TemplateRow => [name, parent === "chest" ? top : parent, at],
      ),
      ...(FINGER_SETS[fingers] ?? []).flatMap(fingerRows),
    ],
    limbs: BIPED.limbs.map((limb) => (limb.root === "chest" ? { ...limb, root: top } : limb)),
  };
}

/** Three joints of a finger, in the box; `fitTemplate` lays them into the hand. */
function fingerRows(finger: number): TemplateRow[] {
  const name = FINGER_NAMES[finger];
  return [1, 2, 3].map((segment): TemplateRow => {
    const parent = segment === 1 ? "hand.L" : `${name}${segment - 1}.L`;
    const [x, z] = fingerPosition(finger, segment);
    return [`${name}${segment}.L`, parent, [0.82 + 0.18 * x, 0.76, z]];
  });
}

/**
 * Returns where a joint of a finger is in a flat hand: from 0 at the wrist to 1 at the tip of the middle
 * finger, and across from -1 at the little finger to 1 at the index finger; the thumb is beyond.
 */
export function fingerPosition(finger: number, segment: number): [along: number, across: number] {
  if (finger === 0) return [0.12 + 0.17 * (segment - 1), 1.0 + 0.35 * (segment - 1)];
  const length = [0, 0.93, 1, 0.94, 0.78][finger];
  return [0.48 + (length - 0.48) * [0, 0.45, 0.75][segment - 1], 1 - (2 * (finger - 1)) / 3];
}

/** Birds and bats with their wings spread. */
const BIRD: SkeletonTemplate = {
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

/** Fish: a spine along the body, and fins. */
const FISH: SkeletonTemplate = {
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

/** Dogs, horses, lizards: four legs under a horizontal body. */
const QUADRUPED: SkeletonTemplate = {
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

const JOINTS = 12;

/** From the tail, which is the root, to the head. */
const rows = Array.from({ length: JOINTS }, (_, i): TemplateRow => {
  const name = i === JOINTS - 1 ? "head" : `spine${i + 1}`;
  return [name, i === 0 ? "" : `spine${i}`, [0, 0.5, -0.96 + (1.8 * i) / (JOINTS - 1)]];
});

/** Snakes, worms and ropes: one chain, coiled or not. */
const SNAKE: SkeletonTemplate = {
  name: "snake",
  title: "One long body",
  isLong: true,
  rows,
  limbs: [{ tip: "head", root: "spine1", end: [0, 0.5, 1], aim: [0, 0.2, 1] }],
};

/** Directions of the legs of one side, in degrees from the front. */
const ANGLES = [35, 70, 110, 145];
const direction = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return { x: Math.sin(angle), z: Math.cos(angle) };
};

/** Spiders and crabs: eight legs around a body. */
const SPIDER: SkeletonTemplate = {
  name: "spider",
  title: "Eight legs",
  isLong: false,
  rows: [
    ["body", "", [0, 0.5, 0.1]],
    ["head", "body", [0, 0.5, 0.35]],
    ["abdomen", "body", [0, 0.55, -0.25]],
    ...ANGLES.flatMap((degrees, i): TemplateRow[] => {
      const { x, z } = direction(degrees);
      const joint = (part: string) => `leg${i + 1}${part}.L`;
      return [
        [joint("Upper"), "body", [0.2 * x, 0.5, 0.2 * z]],
        [joint("Middle"), joint("Upper"), [0.5 * x, 0.7, 0.5 * z]],
        [joint("Lower"), joint("Middle"), [0.8 * x, 0.35, 0.8 * z]],
      ];
    }),
  ],
  limbs: ANGLES.map((degrees, i): TemplateLimb => {
    const { x, z } = direction(degrees);
    return { tip: `leg${i + 1}Lower.L`, root: "body", end: [x, 0.02, z], aim: [x, -0.2, z] };
  }),
};

/** Directions of the legs of one side of an insect, in degrees from the front. */
const INSECT_ANGLES = [45, 90, 135];

/** Insects: six legs around a body, and wings. */
const INSECT: SkeletonTemplate = {
  name: "insect",
  title: "Six legs and wings",
  isLong: false,
  rows: [
    ["thorax", "", [0, 0.5, 0.1]],
    ["head", "thorax", [0, 0.5, 0.6]],
    ["abdomen1", "thorax", [0, 0.5, -0.3]],
    ["abdomen2", "abdomen1", [0, 0.5, -0.65]],
    ["wing1.L", "thorax", [0.12, 0.7, 0]],
    ["wing2.L", "wing1.L", [0.5, 0.8, -0.2]],
    ...INSECT_ANGLES.flatMap((degrees, i): TemplateRow[] => {
      const { x, z } = direction(degrees);
      const joint = (part: string) => `leg${i + 1}${part}.L`;
      return [
        [joint("Upper"), "thorax", [0.15 * x, 0.42, 0.1 + 0.15 * z]],
        [joint("Middle"), joint("Upper"), [0.45 * x, 0.5, 0.1 + 0.45 * z]],
        [joint("Lower"), joint("Middle"), [0.7 * x, 0.25, 0.1 + 0.7 * z]],
      ];
    }),
  ],
  limbs: [
    { tip: "wing2.L", root: "thorax", end: [1, 0.85, -0.3], aim: [1, 1.5, -0.3] },
    ...INSECT_ANGLES.map((degrees, i): TemplateLimb => {
      const { x, z } = direction(degrees);
      return { tip: `leg${i + 1}Lower.L`, root: "thorax", end: [x, 0.02, z], aim: [x, -1, z] };
    }),
  ],
};

/** Dragons: four legs, wings and a tail. */
const DRAGON: SkeletonTemplate = {
  name: "dragon",
  title: "Four legs and wings",
  isLong: false,
  rows: [
    ...QUADRUPED.rows,
    ["wing1.L", "chest", [0.12, 0.68, 0.2]],
    ["wing2.L", "wing1.L", [0.42, 0.75, 0.15]],
    ["wing3.L", "wing2.L", [0.72, 0.75, 0.05]],
  ].map((row): TemplateRow => {
    const [name, parent, [x, y, z]] = row as TemplateRow;
    // Wings widen the box, so legs are nearer to the middle.
    return [name, parent, [/foot|upper|lower/i.test(name) ? x / 2.5 : x, y, z]];
  }),
  limbs: [
    { tip: "wing3.L", root: "chest", end: [1, 0.7, 0], aim: [1, 0.3, 0] },
    ...QUADRUPED.limbs.map((limb) =>
      limb.tip.endsWith(".L")
        ? {
            ...limb,
            end: [limb.end[0] / 2.5, limb.end[1], limb.end[2]] as Vec3,
            aim: [0.15, limb.aim[1], limb.aim[2]] as Vec3,
          }
        : limb,
    ),
  ],
};

/** Skeletons for meshes without one. */
export const TEMPLATES: readonly SkeletonTemplate[] = [
  BIPED,
  QUADRUPED,
  BIRD,
  FISH,
  SNAKE,
  SPIDER,
  INSECT,
  DRAGON,
];

/** Returns the template with this name. */
export function templateNamed(name: string): SkeletonTemplate {
  const found = TEMPLATES.find((template) => template.name === name);
  if (!found) {
    const names = TEMPLATES.map((template) => template.name).join(", ");
    throw new InputError(`There is no skeleton template "${name}"; choose one of ${names}.`);
  }
  return found;
}
