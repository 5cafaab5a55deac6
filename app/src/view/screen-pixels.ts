/**
 * Converts the pixels of a square render target, which is linear, premultiplied and upside down, for display.
 *
 * @param pixels size×size×4
 */
export function screenPixels(pixels: Uint8Array, size: number): ImageData {
  const image = new ImageData(size, size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [from, to] = [((size - 1 - y) * size + x) * 4, (y * size + x) * 4];
      const alpha = pixels[from + 3] / 255;
      for (let i = 0; i < 3; i++) {
        const linear = alpha > 0 ? Math.min(1, pixels[from + i] / 255 / alpha) : 0;
        const bright = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
        image.data[to + i] = Math.round(255 * bright);
      }
      image.data[to + 3] = pixels[from + 3];
    }
  }
  return image;
}
