import type { ColourMap } from "./colour-maps.ts";
import { drawRectangle, type Point } from "./draw-shapes.ts";
import { drawText, INK } from "./draw-text.ts";
import { blendPixel, type Picture } from "./picture.ts";

/** Options for {@link drawColourBar}. */
export interface ColourBarOptions {
  /** Texts at the left end and at the right end. */
  ends: [string, string];
  /** Pixels per dot of the texts; 1 unless told. */
  scale?: number;
}

/** Draws a legend: a bar with all colours of a map, its ends labelled beneath. */
export function drawColourBar(
  picture: Picture,
  [x, y]: Point,
  width: number,
  height: number,
  map: ColourMap,
  options: ColourBarOptions,
): void {
  const { ends, scale = 1 } = options;
  drawRectangle(picture, [x - 1, y - 1], width + 2, height + 2, INK, 0.35);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) blendPixel(picture, x + i, y + j, map((i + 0.5) / width), 1);
  }
  const below = y + height + 3 * scale;
  drawText(picture, ends[0], x, below, { scale });
  drawText(picture, ends[1], x + width, below, { scale, align: "right" });
}
