import type { ColourMap } from "./colour-maps.ts";
import { drawRectangle } from "./draw-shapes.ts";
import { drawText, INK, textScale } from "./draw-text.ts";
import { blendPixel, type Picture } from "./picture.ts";

/** Draws a legend in the lower left corner: a bar with all colours of a map, its ends labelled beneath. */
export function drawColourBar(picture: Picture, map: ColourMap, ends: [string, string]): void {
  const scale = textScale(picture);
  const [x, y] = [6 * scale, picture.height - 20 * scale];
  const [width, height] = [Math.round(picture.width * 0.22), 6 * scale];
  drawRectangle(picture, [x - 1, y - 1], width + 2, height + 2, INK, 0.35);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) blendPixel(picture, x + i, y + j, map((i + 0.5) / width), 1);
  }
  const below = y + height + 3 * scale;
  drawText(picture, ends[0], x, below, { scale });
  drawText(picture, ends[1], x + width, below, { scale, align: "right" });
}
