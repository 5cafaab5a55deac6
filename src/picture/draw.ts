import { blendPixel, type Color, createPicture, type Picture, pastePicture } from "./picture.ts";

/** Options for {@link drawText}. */
interface TextOptions {
  /** Default dark gray. */
  color?: Color;
  /** Pixels per font dot; default 1. */
  scale?: number;
  /** The part of the text at x; default left. */
  align?: "left" | "center" | "right";
}

/** Color of text. */
export const INK: Color = [52, 56, 64];

/** Returns the pixels per font dot for a picture. */
export function textScale({ width, height }: { width: number; height: number }): number {
  return Math.max(1, Math.round(Math.min(width, height) / 260));
}

/** Returns the width of a text in pixels. */
export function textWidth(text: string, scale = 1): number {
  return Math.max(0, text.length * GLYPH_ADVANCE - (GLYPH_ADVANCE - GLYPH_WIDTH)) * scale;
}

/** Truncates a text with two dots to fit a width in pixels. */
export function fitText(text: string, width: number, scale = 1): string {
  if (textWidth(text, scale) <= width) return text;
  const room = Math.floor((width / scale + 1) / GLYPH_ADVANCE) - 2;
  return room < 1 ? "" : `${text.slice(0, room)}..`;
}

/** Draws one line of text with the top of its capitals at y. */
export function drawText(
  picture: Picture,
  text: string,
  x: number,
  y: number,
  options: TextOptions = {},
): void {
  const { color = INK, scale = 1, align = "left" } = options;
  const length = textWidth(text, scale);
  const shift = align === "left" ? 0 : align === "right" ? length : Math.round(length / 2);
  [...text].forEach((character, i) => {
    for (let row = 0; row < GLYPH_HEIGHT; row++) {
      for (let column = 0; column < GLYPH_WIDTH; column++) {
        if (!glyphDot(character, column, row)) continue;
        const along = (i * GLYPH_ADVANCE + column) * scale - shift;
        fillDot(picture, x + along, y + row * scale, scale, color);
      }
    }
  });
}

function fillDot(picture: Picture, x: number, y: number, size: number, color: Color): void {
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      blendPixel(picture, Math.round(x) + i, Math.round(y) + j, color, 1);
    }
  }
}

/** Columns of a glyph, with and without the space after it. */
const GLYPH_WIDTH = 5;
const GLYPH_ADVANCE = 6;

/** Rows of a glyph: seven above the base line, two below. */
const GLYPH_HEIGHT = 9;

/** The printable ASCII characters, sixteen per band, each five dots wide. */
const BANDS = [
  `
  .....  ..#..  .#.#.  .#.#.  ..#..  ##...  .##..  ..#..  ...#.  .#...  .....  .....  .....  .....  .....  ....#
  .....  ..#..  .#.#.  .#.#.  .####  ##..#  #..#.  ..#..  ..#..  ..#..  ..#..  ..#..  .....  .....  .....  ....#
  .....  ..#..  .....  #####  #.#..  ...#.  #.#..  .....  .#...  ...#.  #.#.#  ..#..  .....  .....  .....  ...#.
  .....  ..#..  .....  .#.#.  .###.  ..#..  .#...  .....  .#...  ...#.  .###.  #####  .....  #####  .....  ..#..
  .....  ..#..  .....  #####  ..#.#  .#...  #.#.#  .....  .#...  ...#.  #.#.#  ..#..  .....  .....  .....  .#...
  .....  .....  .....  .#.#.  ####.  #..##  #..#.  .....  ..#..  ..#..  ..#..  ..#..  ..##.  .....  .##..  #....
  .....  ..#..  .....  .#.#.  ..#..  ...##  .##.#  .....  ...#.  .#...  .....  .....  ..##.  .....  .##..  #....
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  ...#.  .....  .....  .....
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  ..#..  .....  .....  .....`,
  `
  .###.  ..#..  .###.  .###.  ...#.  #####  ..##.  #####  .###.  .###.  .....  .....  ...#.  .....  .#...  .###.
  #...#  .##..  #...#  #...#  ..##.  #....  .#...  ....#  #...#  #...#  .##..  ..##.  ..#..  .....  ..#..  #...#
  #...#  ..#..  ....#  ....#  .#.#.  ####.  #....  ...#.  #...#  #...#  .##..  ..##.  .#...  #####  ...#.  ....#
  #.#.#  ..#..  ...#.  ..##.  #..#.  ....#  ####.  ..#..  .###.  .####  .....  .....  #....  .....  ....#  ...#.
  #...#  ..#..  ..#..  ....#  #####  ....#  #...#  .#...  #...#  ....#  .##..  ..##.  .#...  #####  ...#.  ..#..
  #...#  ..#..  .#...  #...#  ...#.  #...#  #...#  .#...  #...#  ...#.  .##..  ..##.  ..#..  .....  ..#..  .....
  .###.  .###.  #####  .###.  ...#.  .###.  .###.  .#...  .###.  .##..  .....  ...#.  ...#.  .....  .#...  ..#..
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  ..#..  .....  .....  .....  .....
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....`,
  `
  .###.  .###.  ####.  .###.  ####.  #####  #####  .###.  #...#  .###.  ....#  #...#  #....  #...#  #...#  .###.
  #...#  #...#  #...#  #...#  #...#  #....  #....  #...#  #...#  ..#..  ....#  #..#.  #....  ##.##  ##..#  #...#
  #.###  #...#  #...#  #....  #...#  #....  #....  #....  #...#  ..#..  ....#  #.#..  #....  #.#.#  #.#.#  #...#
  #.#.#  #####  ####.  #....  #...#  ####.  ####.  #.###  #####  ..#..  ....#  ##...  #....  #.#.#  #..##  #...#
  #.###  #...#  #...#  #....  #...#  #....  #....  #...#  #...#  ..#..  ....#  #.#..  #....  #...#  #...#  #...#
  #....  #...#  #...#  #...#  #...#  #....  #....  #...#  #...#  ..#..  #...#  #..#.  #....  #...#  #...#  #...#
  .###.  #...#  ####.  .###.  ####.  #####  #....  .####  #...#  .###.  .###.  #...#  #####  #...#  #...#  .###.
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....`,
  `
  ####.  .###.  ####.  .###.  #####  #...#  #...#  #...#  #...#  #...#  #####  .###.  #....  .###.  ..#..  .....
  #...#  #...#  #...#  #...#  ..#..  #...#  #...#  #...#  #...#  #...#  ....#  .#...  #....  ...#.  .#.#.  .....
  #...#  #...#  #...#  #....  ..#..  #...#  #...#  #...#  .#.#.  #...#  ...#.  .#...  .#...  ...#.  #...#  .....
  ####.  #...#  ####.  .###.  ..#..  #...#  #...#  #.#.#  ..#..  .#.#.  ..#..  .#...  ..#..  ...#.  .....  .....
  #....  #.#.#  #.#..  ....#  ..#..  #...#  .#.#.  #.#.#  .#.#.  ..#..  .#...  .#...  ...#.  ...#.  .....  .....
  #....  #..#.  #..#.  #...#  ..#..  #...#  .#.#.  ##.##  #...#  ..#..  #....  .#...  ....#  ...#.  .....  .....
  #....  .##.#  #...#  .###.  ..#..  .###.  ..#..  #...#  #...#  ..#..  #####  .###.  ....#  .###.  .....  #####
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....
  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....  .....`,
  `
  .#...  .....  #....  .....  ....#  .....  ..##.  .....  #....  ..#..  ...#.  #....  .##..  .....  .....  .....
  ..#..  .....  #....  .....  ....#  .....  .#..#  .....  #....  .....  .....  #....  ..#..  .....  .....  .....
  .....  .###.  ####.  .###.  .####  .###.  .#...  .####  ####.  .##..  ..##.  #..#.  ..#..  ##.#.  ####.  .###.
  .....  ....#  #...#  #....  #...#  #...#  ###..  #...#  #...#  ..#..  ...#.  #.#..  ..#..  #.#.#  #...#  #...#
  .....  .####  #...#  #....  #...#  #####  .#...  #...#  #...#  ..#..  ...#.  ##...  ..#..  #.#.#  #...#  #...#
  .....  #...#  #...#  #...#  #...#  #....  .#...  #...#  #...#  ..#..  ...#.  #.#..  ..#..  #.#.#  #...#  #...#
  .....  .####  ####.  .###.  .####  .###.  .#...  .####  #...#  .###.  ...#.  #..#.  .###.  #.#.#  #...#  .###.
  .....  .....  .....  .....  .....  .....  .....  ....#  .....  .....  #..#.  .....  .....  .....  .....  .....
  .....  .....  .....  .....  .....  .....  .....  .###.  .....  .....  .##..  .....  .....  .....  .....  .....`,
  `
  .....  .....  .....  .....  .#...  .....  .....  .....  .....  .....  .....  ...#.  ..#..  .#...  .....
  .....  .....  .....  .....  .#...  .....  .....  .....  .....  .....  .....  ..#..  ..#..  ..#..  .....
  ####.  .####  #.##.  .####  ####.  #...#  #...#  #...#  #...#  #...#  #####  ..#..  ..#..  ..#..  .....
  #...#  #...#  ##..#  #....  .#...  #...#  #...#  #.#.#  .#.#.  #...#  ...#.  .#...  ..#..  ...#.  .##.#
  #...#  #...#  #....  .###.  .#...  #...#  #...#  #.#.#  ..#..  #...#  ..#..  ..#..  ..#..  ..#..  #..#.
  #...#  #...#  #....  ....#  .#..#  #...#  .#.#.  #.#.#  .#.#.  #...#  .#...  ..#..  ..#..  ..#..  .....
  ####.  .####  #....  ####.  ..##.  .####  ..#..  .#.#.  #...#  .####  #####  ...#.  ..#..  .#...  .....
  #....  ....#  .....  .....  .....  .....  .....  .....  .....  ....#  .....  .....  .....  .....  .....
  #....  ....#  .....  .....  .....  .....  .....  .....  .....  .###.  .....  .....  .....  .....  .....`,
];

const GLYPHS: string[][] = BANDS.flatMap((band) => {
  const rows = band
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  return rows[0].map((_, i) => rows.map((row) => row[i]));
});

const FIRST = 32;

/** Whether a dot of a character is set; unknown characters look like a question mark. */
export function glyphDot(character: string, column: number, row: number): boolean {
  const glyph = GLYPHS[character.charCodeAt(0) - FIRST] ?? GLYPHS["?".charCodeAt(0) - FIRST];
  return glyph[row]?.[column] === "#";
}

/** A point of a picture, x to the right and y down from its top left corner. */
export type Point = readonly [number, number];

/** Fills an antialiased rectangle. */
export function drawRectangle(
  picture: Picture,
  [x, y]: Point,
  width: number,
  height: number,
  color: Color,
  opacity = 1,
): void {
  const cover = (at: number, from: number, size: number) =>
    Math.min(at + 1, from + size) - Math.max(at, from);
  for (let j = Math.floor(y); j < y + height; j++) {
    for (let i = Math.floor(x); i < x + width; i++) {
      const coverage = Math.max(0, cover(i, x, width)) * Math.max(0, cover(j, y, height));
      blendPixel(picture, i, j, color, opacity * coverage);
    }
  }
}

/** Draws a line with round ends. */
export function drawLine(
  picture: Picture,
  a: Point,
  b: Point,
  thickness: number,
  color: Color,
  opacity = 1,
): void {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const inverse = 1 / Math.max(dx * dx + dy * dy, 1e-12);
  fillWhere(picture, [a, b], thickness / 2, color, opacity, (x, y) => {
    const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) * inverse));
    return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - thickness / 2;
  });
}

/** Fills a disc. */
export function drawDisc(
  picture: Picture,
  center: Point,
  radius: number,
  color: Color,
  opacity = 1,
): void {
  const distance = (x: number, y: number) => Math.hypot(x - center[0], y - center[1]) - radius;
  fillWhere(picture, [center], radius, color, opacity, distance);
}

/** Fills a convex polygon of either winding. */
export function drawPolygon(picture: Picture, corners: Point[], color: Color, opacity = 1): void {
  const sides = corners.map((a, i) => {
    const b = corners[(i + 1) % corners.length];
    const length = Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1e-12);
    return [a[0], a[1], (b[1] - a[1]) / length, (a[0] - b[0]) / length];
  });
  const area = corners.reduce((sum, a, i) => {
    const b = corners[(i + 1) % corners.length];
    return sum + a[0] * b[1] - b[0] * a[1];
  }, 0);
  const sign = area < 0 ? -1 : 1;
  fillWhere(picture, corners, 0, color, opacity, (x, y) => {
    let furthest = -Infinity;
    for (const [ax, ay, nx, ny] of sides) {
      furthest = Math.max(furthest, sign * ((x - ax) * nx + (y - ay) * ny));
    }
    return furthest;
  });
}

/** Fills where a signed distance is negative, antialiased over one pixel. */
function fillWhere(
  picture: Picture,
  points: Point[],
  reach: number,
  color: Color,
  opacity: number,
  distance: (x: number, y: number) => number,
): void {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const left = Math.max(0, Math.floor(Math.min(...xs) - reach - 1));
  const right = Math.min(picture.width - 1, Math.ceil(Math.max(...xs) + reach + 1));
  const top = Math.max(0, Math.floor(Math.min(...ys) - reach - 1));
  const bottom = Math.min(picture.height - 1, Math.ceil(Math.max(...ys) + reach + 1));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const cover = Math.min(1, Math.max(0, 0.5 - distance(x + 0.5, y + 0.5)));
      if (cover > 0) blendPixel(picture, x, y, color, opacity * cover);
    }
  }
}

/** Options for {@link pictureGrid}. */
interface PictureGridOptions {
  columnTitles?: string[];
  title?: string;
}

const GAP = 8;

/** Pixels of a line of text above a column, and above the grid. */
const COLUMN_LINE = 24;
const TITLE_LINE = 30;

/** Arranges pictures in rows of `columns`; every cell is as large as the largest picture. */
export function pictureGrid(
  pictures: Picture[],
  columns: number,
  options: PictureGridOptions = {},
): Picture {
  const { columnTitles, title } = options;
  const width = Math.max(1, ...pictures.map((picture) => picture.width));
  const height = Math.max(1, ...pictures.map((picture) => picture.height));
  const rows = Math.max(1, Math.ceil(pictures.length / columns));
  const top = GAP + (title ? TITLE_LINE : 0) + (columnTitles ? COLUMN_LINE : 0);
  const out = createPicture(GAP + columns * (width + GAP), top + rows * (height + GAP));
  if (title) drawText(out, fitText(title, out.width - 2 * GAP, 2), GAP, GAP, { scale: 2 });
  columnTitles?.slice(0, columns).forEach((text, i) => {
    const middle = GAP + i * (width + GAP) + Math.floor(width / 2);
    drawText(out, fitText(text, width, 2), middle, top - COLUMN_LINE + 2, {
      align: "center",
      scale: 2,
    });
  });
  pictures.forEach((picture, i) => {
    const x = GAP + (i % columns) * (width + GAP) + Math.floor((width - picture.width) / 2);
    const y =
      top + Math.floor(i / columns) * (height + GAP) + Math.floor((height - picture.height) / 2);
    pastePicture(out, picture, x, y);
  });
  return out;
}
