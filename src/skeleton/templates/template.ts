import type { Skeleton } from "../skeleton.ts";

/** A joint of a template: name, parent's name (empty at a root), place in the box around the body. */
export type TemplateRow = [name: string, parent: string, place: [number, number, number]];

/** A limb of a template: from a joint of the trunk to where the body ends. */
export interface TemplateLimb {
  /** The last joint; the limb is all joints from here up to, not including, `root`. */
  tip: string;
  root: string;
  /** Where the limb ends, as a place in the box. */
  end: [number, number, number];
  /** The way in which the end is the farthest point of the body, in the box. */
  aim: [number, number, number];
}

/**
 * A skeleton to be put into bodies of one kind.
 *
 * Places are in the box around the body: x and z from -1 to 1 (left and front positive), y from 0 to
 * 1. A row or limb whose name ends in .L stands for its mirror image .R as well.
 */
export interface SkeletonTemplate {
  name: string;
  /** A few words for a list. */
  title: string;
  rows: TemplateRow[];
  limbs: TemplateLimb[];
  /** Whether bodies of this kind are longer than wide, so that a wide one must be turned. */
  isLong: boolean;
}

/** The template with both sides spelled out. */
export function bothSides({ rows, limbs }: SkeletonTemplate): {
  rows: TemplateRow[];
  limbs: TemplateLimb[];
} {
  const image = ([x, y, z]: [number, number, number]): [number, number, number] => [-x, y, z];
  const otherRow = ([name, parent, place]: TemplateRow): TemplateRow => [
    otherSide(name),
    otherSide(parent),
    image(place),
  ];
  const otherLimb = ({ tip, root, end, aim }: TemplateLimb): TemplateLimb => ({
    ...{ tip: otherSide(tip), root: otherSide(root) },
    ...{ end: image(end), aim: image(aim) },
  });
  return {
    rows: [...rows, ...rows.filter(([name]) => hasSide(name)).map(otherRow)],
    limbs: limbs.flatMap((limb) => (hasSide(limb.tip) ? [limb, otherLimb(limb)] : [limb])),
  };
}

/** A skeleton with the joints of rows, all at the origin. */
export function skeletonOfRows(rows: readonly TemplateRow[]): Skeleton {
  const numbers = new Map(rows.map(([name], joint) => [name, joint]));
  return {
    names: rows.map(([name]) => name),
    parents: Int32Array.from(rows, ([, parent]) => numbers.get(parent) ?? -1),
    positions: new Float32Array(rows.length * 3),
  };
}

/** Whether a name is of the left side. */
function hasSide(name: string): boolean {
  return name.endsWith(".L");
}

function otherSide(name: string): string {
  return hasSide(name) ? `${name.slice(0, -1)}R` : name;
}
