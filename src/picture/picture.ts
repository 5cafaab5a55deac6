/** A color as red, green, blue in 0..255 (sRGB). */
export type Color = readonly [number, number, number];

/** Pixels, row by row from the top left. */
export interface Picture {
  width: number;
  height: number;
  /** width×height×4, red, green, blue, opacity in 0..255 (sRGB, not premultiplied). */
  pixels: Uint8ClampedArray;
}

/** The neutral background of all pictures. */
export const BACKGROUND: Color = [246, 246, 244];

/** Creates an opaque picture of one color. */
export function createPicture(
  width: number,
  height: number,
  background: Color = BACKGROUND,
): Picture {
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
    throw new Error(`createPicture: sides must be positive integers, got ${width} x ${height}.`);
  }
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 4) {
    for (let k = 0; k < 3; k++) pixels[at + k] = background[k];
  }
  return { width, height, pixels };
}

/** Blends a color over one pixel of `picture`; pixels outside are ignored. */
export function blendPixel(
  picture: Picture,
  x: number,
  y: number,
  color: Color,
  opacity: number,
): void {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
  const at = (y * picture.width + x) * 4;
  for (let channel = 0; channel < 3; channel++) {
    const old = picture.pixels[at + channel];
    picture.pixels[at + channel] = old + (color[channel] - old) * opacity;
  }
}

/** Copies `source` onto `picture` with its top left corner at x, y, clipped. */
export function pastePicture(picture: Picture, source: Picture, x: number, y: number): void {
  const from = Math.max(0, -x);
  const to = Math.min(source.width, picture.width - x);
  if (to <= from) return;
  for (let row = Math.max(0, -y); row < source.height && row + y < picture.height; row++) {
    const start = row * source.width;
    const line = source.pixels.subarray((start + from) * 4, (start + to) * 4);
    picture.pixels.set(line, ((row + y) * picture.width + x + from) * 4);
  }
}
