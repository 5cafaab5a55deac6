import { subtract } from "../math/vec3.ts";
import { jointWords } from "./helper-joints.ts";
import { childrenOf, type Skeleton } from "./skeleton.ts";

/** A direction along an axis. */
export type Direction = "x" | "y" | "z" | "-x" | "-y" | "-z";

export const DIRECTIONS: readonly Direction[] = ["x", "y", "z", "-x", "-y", "-z"];

/** Horizontal directions in which a body may face. */
export const FRONTS = ["z", "-z", "x", "-x"] as const;
export type Front = (typeof FRONTS)[number];

const LEG = new Set(
  "leg legs upleg upperleg lowerleg thigh calf shin knee femur foot feet ankle toe toes heel paw hoof".split(
    " ",
  ),
);
const TRUNK = new Set("head skull neck spine chest torso".split(" "));

/** Cosine of 25 degrees: a direction nearer to an axis than that is clear. */
const CLEAR = 0.9;
/** Feet end in this lowest part of a body. */
const LOW = 0.35;

/**
 * Determines the up and left directions from the names and positions of joints; undefined if unclear.
 *
 * Legs hang down from the trunk, in animals as in people: at least two, along an axis, that end in the lowest
 * part of the mesh with the trunk above them.
 *
 * @param positions V×3 of the mesh
 */
export function findUp(
  skeleton: Skeleton,
  positions: Float32Array,
): { up: Direction; left?: Direction | undefined } | undefined {
  const legs = legsOf(skeleton);
  const up = directionOf(sum(legs.map(({ top, end }) => subtract(top, end))));
  if (legs.length < 2 || !up) return undefined;
  const along = (point: number[]) => point["xyz".indexOf(up.slice(-1))] * (up.length > 1 ? -1 : 1);
  const mean = (points: number[][]) => along(sum(points)) / points.length;
  const trunk = jointsNamed(skeleton, TRUNK).map((joint) => pointOf(skeleton, joint));
  if (trunk.length === 0 || mean(trunk) <= mean(legs.map(({ top }) => top))) return undefined;
  let [low, high] = [Infinity, -Infinity];
  for (let v = 0; v < positions.length; v += 3) {
    const height = along([positions[v], positions[v + 1], positions[v + 2]]);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  if (mean(legs.map(({ end }) => end)) > low + LOW * (high - low)) return undefined;
  return { up, left: leftOf(skeleton, up) };
}

function legsOf(skeleton: Skeleton): { top: number[]; end: number[] }[] {
  const isLeg = new Set(jointsNamed(skeleton, LEG));
  const children = childrenOf(skeleton);
  const tops = [...isLeg].filter((joint) => !isLeg.has(skeleton.parents[joint]));
  return tops.flatMap((first) => {
    let end = first;
    for (let next: number | undefined = first; next !== undefined; ) {
      end = next;
      next = children[next].find((child) => isLeg.has(child));
    }
    return end === first ? [] : [{ top: pointOf(skeleton, first), end: pointOf(skeleton, end) }];
  });
}

/** Direction from joints named right to those named left, if it differs from the up axis. */
function leftOf(skeleton: Skeleton, up: Direction): Direction | undefined {
  const on = (words: string[]) =>
    jointsNamed(skeleton, new Set(words)).map((joint) => pointOf(skeleton, joint));
  const [left, right] = [on(["l", "left"]), on(["r", "right"])];
  if (left.length === 0 || left.length !== right.length) return undefined;
  const found = directionOf(subtract(sum(left), sum(right)));
  return found?.slice(-1) === up.slice(-1) ? undefined : found;
}

function directionOf(vector: number[]): Direction | undefined {
  const length = Math.hypot(...vector);
  const axis = vector.findIndex((value) => Math.abs(value) >= CLEAR * length);
  if (!(length > 0) || axis < 0) return undefined;
  return `${vector[axis] < 0 ? "-" : ""}${"xyz"[axis]}` as Direction;
}

function jointsNamed({ names }: Skeleton, words: Set<string>): number[] {
  return [...names.keys()].filter((joint) => jointWords(names[joint]).some((w) => words.has(w)));
}

function pointOf({ positions }: Skeleton, joint: number): number[] {
  return Array.from(positions.subarray(joint * 3, joint * 3 + 3));
}

function sum(points: number[][]): number[] {
  return [0, 1, 2].map((axis) => points.reduce((all, point) => all + point[axis], 0));
}
