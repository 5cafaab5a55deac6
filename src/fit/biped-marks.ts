import type { Aabb } from "../math/aabb.ts";
import type { BodyDepth } from "./body-depth.ts";

/** Heights of an upright body as fractions of its height; undefined where they are not clear. */
export interface BipedMarks {
  /** Where the legs part. */
  crotch: number | undefined;
  /** Where the neck is narrowest. */
  neck: number | undefined;
}

/** Crotches are in this part of the height. */
const CROTCH_RANGE = [0.1, 0.62];
/** Cells above the crotch that must be inside as well. */
const SOLID = 4;
/** A neck is in this part of the height between crotch and top. */
const NECK_RANGE = [0.3, 0.9];
/** A crotch this much lower than usual is the hem of a garment. */
const DRESSED = 0.09;
/** The head must be wider than the neck by this factor. */
const WIDER = 1.15;

/**
 * Measures where the legs part and where the neck is, so that a template fits short legs and large heads.
 *
 * Looks at the middle column of the body: its lowest cell is the crotch, unless a skirt reaches the ground; the
 * neck is the narrowest layer between the arms and the head.
 */
export function bipedMarks({ grid, depths }: BodyDepth, box: Aabb): BipedMarks {
  const { nx, ny, nz, origin, size } = grid;
  const middle = Math.floor(((box.min[0] + box.max[0]) / 2 - origin[0]) / size);
  const height = box.max[1] - box.min[1];
  const fraction = (y: number) => (origin[1] + (y + 0.5) * size - box.min[1]) / height;
  const isInside = (x: number, y: number) => {
    for (let z = 0; z < nz; z++) if (depths[x + nx * (y + ny * z)] > 0) return true;
    return false;
  };
  const isSolid = (y: number) =>
    Array.from({ length: SOLID }, (_, i) => isInside(middle, Math.min(ny - 1, y + i))).every(
      Boolean,
    );
  const layers = Array.from({ length: ny }, (_, y) => y);
  const first = layers.find(isSolid);
  const low = first === undefined ? 0 : fraction(first);
  const crotch = low > CROTCH_RANGE[0] && low < CROTCH_RANGE[1] ? low : undefined;
  /** Cells inside, in one run through the middle. */
  const width = (y: number) => {
    let [from, to] = [middle, middle];
    if (!isInside(middle, y)) return 0;
    while (from > 0 && isInside(from - 1, y)) from--;
    while (to < nx - 1 && isInside(to + 1, y)) to++;
    return to - from + 1;
  };
  const base = crotch ?? 0.45;
  const widths = layers.map(width);
  const candidates = layers.filter((y) => {
    const t = (fraction(y) - base) / (1 - base);
    return t > NECK_RANGE[0] && t < NECK_RANGE[1] && widths[y] > 0;
  });
  if (candidates.length === 0) return { crotch, neck: undefined };
  const narrow = candidates.reduce((a, b) => (widths[b] < widths[a] ? b : a));
  const above = Math.max(...widths.slice(narrow));
  const neck = above >= WIDER * widths[narrow] ? fraction(narrow) : undefined;
  return { crotch: crotch && plausibleCrotch(crotch, neck), neck };
}

/** Adults have the neck at 0.84 of their height and the crotch at 0.48; both go down as heads grow. */
function plausibleCrotch(crotch: number, neck: number | undefined): number {
  const usual = 0.48 + 0.85 * ((neck ?? 0.84) - 0.84);
  // Thighs that touch, trousers and skirts look like a lower crotch.
  if (crotch < usual - DRESSED) return usual;
  return crotch < usual ? (crotch + usual) / 2 : crotch;
}
