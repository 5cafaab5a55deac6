/** What a pixel holds besides its depth: light and normal. */
export const CHANNELS = 6;

/** Buffers a mesh is drawn into. */
export interface Layers {
  width: number;
  height: number;
  /** width×height, Infinity where nothing was drawn. */
  depth: Float32Array;
  /** width×height×CHANNELS. */
  values: Float32Array;
}

/**
 * Fills the pixels whose middle lies in a triangle, where it is the nearest so far.
 *
 * A middle exactly on a side belongs to both triangles of that side, so no gap can open.
 *
 * @param places V×3, x and y in pixels, and depth
 * @param attributes V×CHANNELS
 */
export function drawTriangle(
  layers: Layers,
  places: Float64Array,
  attributes: Float32Array,
  a: number,
  b: number,
  c: number,
): void {
  const { width, height, depth, values } = layers;
  const [ax, ay, az] = [places[a * 3], places[a * 3 + 1], places[a * 3 + 2]];
  const [bx, by, bz] = [places[b * 3], places[b * 3 + 1], places[b * 3 + 2]];
  const [cx, cy, cz] = [places[c * 3], places[c * 3 + 1], places[c * 3 + 2]];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (!(Math.abs(area) > 0)) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const wb = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area;
      const wc = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area;
      const wa = 1 - wb - wc;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const z = wa * az + wb * bz + wc * cz;
      const at = y * width + x;
      if (z >= depth[at]) continue;
      depth[at] = z;
      for (let k = 0; k < CHANNELS; k++) {
        values[at * CHANNELS + k] =
          wa * attributes[a * CHANNELS + k] +
          wb * attributes[b * CHANNELS + k] +
          wc * attributes[c * CHANNELS + k];
      }
    }
  }
}
