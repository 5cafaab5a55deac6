import type { Aabb } from "../math/aabb.ts";
import { mean } from "../math/arrays.ts";
import type { BodyDepth } from "./body-depth.ts";

/** Heights of an upright body as fractions of its height; undefined where they are not clear. */
export interface BipedMarks {
  /** Where the legs part. */
  crotch: number | undefined;
  /** Where the neck is. */
  neck: number | undefined;
}

/** Crotches are in this part of the height, above a gap between the legs of at least this height. */
const CROTCH_RANGE = [0.06, 0.62];
const GAP = 0.03;
/** A neck is in this part of the height between crotch and top. */
const NECK_RANGE = [0.3, 0.9];
/** A crotch this much lower than usual is the hem of a garment. */
const DRESSED = 0.09;
/** A crotch is at most this much higher than usual. */
const HIGH_CROTCH = 0.12;
/** The head must be wider than the neck by this factor. */
const WIDER = 1.15;
/** A neck is at most this much above the shoulders. */
const NECK_ABOVE_ARMS = 0.14;
/** Arms below this height belong to a body with a large head, whose legs may be short. */
const LOW_ARMS = 0.65;

/**
 * Measures where the legs part and where the neck is, so that a template fits short legs and large heads.
 *
 * The crotch is above the tallest gap in the middle column of the body; the neck is the narrowest layer between
 * crotch and head. Trousers, skirts and hair hide both, so the height of spread arms says what is plausible.
 */
export function bipedMarks(body: BodyDepth, box: Aabb): BipedMarks {
  const front = silhouette(body, box);
  const arms = armHeight(front);
  const gap = gapBetweenLegs(front);
  if (arms === undefined) {
    const neck = narrowestLayer(front, gap ?? 0.45);
    // Adults have the neck at 0.84 of their height and the crotch at 0.48; both go down as heads grow.
    return { crotch: gap && plausibleCrotch(gap, 0.48 + 0.85 * ((neck ?? 0.84) - 0.84)), neck };
  }
  // The same for shoulders, at 0.77.
  const usual = Math.max(0.1, 0.46 + (arms < 0.77 ? 0.96 : 0.3) * (arms - 0.77));
  const crotch = gap === undefined ? usual : plausibleCrotch(gap, usual, arms < LOW_ARMS);
  const neck = narrowestLayer(front, crotch);
  const isPlausible = neck !== undefined && neck > arms && neck < arms + NECK_ABOVE_ARMS;
  // Shoulders are four fifths of the way from the crotch to the neck.
  return { crotch, neck: isPlausible ? neck : crotch + (arms - crotch) / 0.8 };
}

/** Thighs that touch, trousers and skirts look like a lower crotch, as do short legs. */
function plausibleCrotch(gap: number, usual: number, mayBeShort = false): number {
  if (gap < usual - DRESSED && !mayBeShort) return usual;
  return gap < usual ? (gap + usual) / 2 : Math.min(gap, usual + HIGH_CROTCH);
}

/** The outline of a body from the front, in cells. */
interface Silhouette {
  nx: number;
  ny: number;
  /** Column in the middle of the body. */
  middle: number;
  isInside: (x: number, y: number) => boolean;
  /** Height of a layer, as a fraction of the body's. */
  fraction: (y: number) => number;
  /** Size of a cell, as a fraction of the height. */
  cell: number;
}

function silhouette({ grid, depths }: BodyDepth, { min, max }: Aabb): Silhouette {
  const { nx, ny, origin, size } = grid;
  const height = max[1] - min[1];
  const cells = new Uint8Array(nx * ny);
  depths.forEach((depth, cell) => {
    if (depth > 0) cells[(cell % nx) + nx * (Math.floor(cell / nx) % ny)] = 1;
  });
  return {
    nx,
    ny,
    middle: Math.floor(((min[0] + max[0]) / 2 - origin[0]) / size),
    isInside: (x, y) => cells[x + nx * y] === 1,
    fraction: (y) => (origin[1] + (y + 0.5) * size - min[1]) / height,
    cell: size / height,
  };
}

/** The first and last cell of each run inside, along a row or a column. */
function runsOf(count: number, isInside: (i: number) => boolean): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    if (!isInside(i)) continue;
    const first = i;
    while (i + 1 < count && isInside(i + 1)) i++;
    runs.push([first, i]);
  }
  return runs;
}

/** Returns the height above the tallest gap in the middle column. */
function gapBetweenLegs({ ny, middle, isInside, fraction }: Silhouette): number | undefined {
  let [tallest, height]: [number, number | undefined] = [GAP, undefined];
  let below = 0;
  for (const [first, last] of runsOf(ny, (y) => isInside(middle, y))) {
    const top = fraction(first);
    if (top > CROTCH_RANGE[1]) break;
    const gap = top - below;
    if (top > CROTCH_RANGE[0] && gap >= tallest) [tallest, height] = [gap, top];
    below = fraction(last);
  }
  return height;
}

/** Returns the height at which the run of cells through the middle is narrowest, if the head above is wider. */
function narrowestLayer(
  { nx, ny, middle, isInside, fraction }: Silhouette,
  crotch: number,
): number | undefined {
  const layers = Array.from({ length: ny }, (_, y) => y);
  const widths = layers.map((y) => {
    const runs = runsOf(nx, (x) => isInside(x, y));
    const [first, last] = runs.find((run) => run[0] <= middle && run[1] >= middle) ?? [0, -1];
    return last - first + 1;
  });
  const candidates = layers.filter((y) => {
    const t = (fraction(y) - crotch) / (1 - crotch);
    return t > NECK_RANGE[0] && t < NECK_RANGE[1] && widths[y] > 0;
  });
  if (candidates.length === 0) return undefined;
  const narrow = candidates.reduce((a, b) => (widths[b] < widths[a] ? b : a));
  const above = Math.max(...widths.slice(narrow));
  return above >= WIDER * widths[narrow] ? fraction(narrow) : undefined;
}

/** An arm ends where it is this much thicker than usual, and than usual plus so many cells. */
const TRUNK = { factor: 2.2, cells: 5 };
/** Spread arms are at least this long, in heights, end below this height, and are equally high. */
const ARM = { length: 0.1, top: 0.86, apart: 0.05 };

/** Distance of a shoulder from the middle, in heights. */
const SHOULDER = 0.08;

/** Returns the height of the shoulders of spread arms; undefined if there are none. */
function armHeight(front: Silhouette): number | undefined {
  const [left, right] = [armOf(front, 1), armOf(front, -1)];
  if (!left || !right || Math.abs(left.shoulder - right.shoulder) > ARM.apart) return undefined;
  const isArm = [left, right].every(({ length, tip }) => length >= ARM.length && tip <= ARM.top);
  return isArm ? (left.shoulder + right.shoulder) / 2 : undefined;
}

/** Follows an arm from the outermost cell of a side to the trunk. */
function armOf({ nx, ny, middle, isInside, fraction, cell }: Silhouette, side: 1 | -1) {
  const runsAt = (x: number) => runsOf(ny, (y) => isInside(x, y));
  const columns = runsOf(nx, (x) => runsAt(x).length > 0);
  if (columns.length === 0) return undefined;
  const outermost = side > 0 ? columns[columns.length - 1][1] : columns[0][0];
  const size = ([first, last]: readonly [number, number]) => last - first + 1;
  const arm = [runsAt(outermost).reduce((a, b) => (size(b) > size(a) ? b : a))];
  for (let x = outermost - side; (x - middle) * side > 0; x -= side) {
    const [first, last] = arm[arm.length - 1];
    const shared = (run: readonly [number, number]) =>
      Math.min(run[1], last) - Math.max(run[0], first);
    const next = runsAt(x).reduce<[number, number] | undefined>(
      (best, run) => (shared(run) >= 0 && (!best || shared(run) > shared(best)) ? run : best),
      undefined,
    );
    if (!next) break;
    const sizes = arm.map(size).sort((a, b) => a - b);
    const usual = sizes[sizes.length >> 1];
    const isTrunk = size(next) > Math.max(TRUNK.factor * usual, usual + TRUNK.cells);
    if (arm.length >= 3 && isTrunk) break;
    arm.push(next);
  }
  const center = ([first, last]: readonly [number, number]) =>
    (fraction(first) + fraction(last)) / 2;
  const heights = arm.map(center);
  // Hair and sleeves hide where the arm begins.
  const hidden = Math.max(0, Math.abs(outermost - middle) - arm.length - SHOULDER / cell);
  return {
    shoulder: heights[arm.length - 1] + hidden * slopeOf(heights.slice(arm.length >> 2)),
    tip: heights[0],
    length: arm.length * cell,
  };
}

/** Returns the slope of a regression line. */
function slopeOf(values: readonly number[]): number {
  const [middle, average] = [(values.length - 1) / 2, mean(values)];
  const sum = (term: (value: number, i: number) => number) =>
    values.reduce((total, value, i) => total + term(value, i), 0);
  return (
    sum((value, i) => (i - middle) * (value - average)) / (sum((_, i) => (i - middle) ** 2) || 1)
  );
}

/** Interpolates between knots [from, to] in order; the first and last piece go on beyond them. */
export function alongKnots(knots: readonly (readonly [number, number])[], value: number): number {
  const next = knots.findIndex(([from]) => value <= from);
  const at = next < 0 ? knots.length - 1 : Math.max(1, next);
  const [[a, low], [b, high]] = [knots[at - 1], knots[at]];
  return low + ((value - a) / (b - a || 1)) * (high - low);
}
