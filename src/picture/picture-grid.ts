import { drawText, fitText } from "./draw-text.ts";
import { BACKGROUND, type Colour, createPicture, type Picture, pastePicture } from "./picture.ts";

/** Options for {@link pictureGrid}. */
export interface PictureGridOptions {
  /** Free pixels between and around; 8 unless told. */
  gap?: number;
  /** A line above each column. */
  columnTitles?: string[];
  /** A line above it all. */
  title?: string;
  background?: Colour;
}

/** Pixels a line of text takes above a column, and above it all. */
const COLUMN_LINE = 24;
const TITLE_LINE = 30;

/** Lays pictures out in rows of `columns`; every cell is as large as the largest picture. */
export function pictureGrid(
  pictures: Picture[],
  columns: number,
  options: PictureGridOptions = {},
): Picture {
  const { gap = 8, columnTitles, title, background = BACKGROUND } = options;
  const width = Math.max(1, ...pictures.map((picture) => picture.width));
  const height = Math.max(1, ...pictures.map((picture) => picture.height));
  const rows = Math.max(1, Math.ceil(pictures.length / columns));
  const top = gap + (title ? TITLE_LINE : 0) + (columnTitles ? COLUMN_LINE : 0);
  const out = createPicture(gap + columns * (width + gap), top + rows * (height + gap), background);
  if (title) drawText(out, fitText(title, out.width - 2 * gap, 2), gap, gap, { scale: 2 });
  columnTitles?.slice(0, columns).forEach((text, i) => {
    const middle = gap + i * (width + gap) + Math.floor(width / 2);
    drawText(out, fitText(text, width, 2), middle, top - COLUMN_LINE + 2, {
      align: "centre",
      scale: 2,
    });
  });
  pictures.forEach((picture, i) => {
    const x = gap + (i % columns) * (width + gap) + Math.floor((width - picture.width) / 2);
    const y =
      top + Math.floor(i / columns) * (height + gap) + Math.floor((height - picture.height) / 2);
    pastePicture(out, picture, x, y);
  });
  return out;
}
