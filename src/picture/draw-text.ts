import { GLYPH_ADVANCE, GLYPH_HEIGHT, GLYPH_WIDTH, glyphDot } from "./font.ts";
import { blendPixel, type Colour, type Picture } from "./picture.ts";

/** Options for {@link drawText}. */
export interface TextOptions {
  /** Dark grey unless told. */
  colour?: Colour;
  /** Whole pixels per dot of the font; 1 unless told. */
  scale?: number;
  /** Which part of the text is at x; left unless told. */
  align?: "left" | "centre" | "right";
  /** Upwards, for the axis of a chart; then `align` is along y, left being the lower end. */
  upwards?: boolean;
}

/** Colour of texts. */
export const INK: Colour = [52, 56, 64];

/** Pixels per dot of the texts on a picture; grows with it. */
export function textScale({ width, height }: { width: number; height: number }): number {
  return Math.max(1, Math.round(Math.min(width, height) / 260));
}

/** The width of a text in pixels. */
export function textWidth(text: string, scale = 1): number {
  return Math.max(0, text.length * GLYPH_ADVANCE - (GLYPH_ADVANCE - GLYPH_WIDTH)) * scale;
}

/** Cuts a text with two dots at its end so that it fits a width in pixels. */
export function fitText(text: string, width: number, scale = 1): string {
  if (textWidth(text, scale) <= width) return text;
  const room = Math.floor((width / scale + 1) / GLYPH_ADVANCE) - 2;
  return room < 1 ? "" : `${text.slice(0, room)}..`;
}

/** Writes one line of text with the top of its capitals at y. */
export function drawText(
  picture: Picture,
  text: string,
  x: number,
  y: number,
  options: TextOptions = {},
): void {
  const { colour = INK, scale = 1, align = "left", upwards = false } = options;
  const length = textWidth(text, scale);
  const shift = align === "left" ? 0 : align === "right" ? length : Math.round(length / 2);
  [...text].forEach((character, i) => {
    for (let row = 0; row < GLYPH_HEIGHT; row++) {
      for (let column = 0; column < GLYPH_WIDTH; column++) {
        if (!glyphDot(character, column, row)) continue;
        const along = (i * GLYPH_ADVANCE + column) * scale - shift;
        const across = row * scale;
        if (upwards) fillDot(picture, x + across, y - along - scale, scale, colour);
        else fillDot(picture, x + along, y + across, scale, colour);
      }
    }
  });
}

function fillDot(picture: Picture, x: number, y: number, size: number, colour: Colour): void {
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      blendPixel(picture, Math.round(x) + i, Math.round(y) + j, colour, 1);
    }
  }
}
