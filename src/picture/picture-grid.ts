import { drawText, fitText } from "./draw-text.ts";
import { createPicture, type Picture, pastePicture } from "./picture.ts";

/** Options for {@link pictureGrid}. */
export interface PictureGridOptions {
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
