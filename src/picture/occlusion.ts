import type { Layers } from "./draw-triangle.ts";

/** Directions and distances at which neighbours on both sides are asked, spread over a disc. */
const PROBES = Array.from({ length: 10 }, (_, i) => {
  const [angle, reach] = [i * 2.399963, Math.sqrt((i + 0.5) / 10)];
  return [Math.cos(angle) * reach, Math.sin(angle) * reach];
});

/** Radius of the disc as a share of the picture's side. */
const REACH = 0.022;

/** Light lost where every neighbour stands in front. */
const DARKEST = 0.75;

/**
 * How much light the surroundings leave at each drawn pixel: less in folds and next to what
 * stands in front, so that shapes and their order are easier to read.
 *
 * Based on: Mittring. Finding Next Gen. 2007 (screen-space ambient occlusion).
 *
 * @param scale pixels per unit of depth
 * @returns width×height, 1 where open
 */
export function occlusion(layers: Layers, scale: number): Float32Array {
  const { width, height, depth } = layers;
  const radius = REACH * Math.max(width, height);
  const offsets = Int32Array.from(PROBES.flat(), (value) => Math.round(value * radius));
  const range = radius / scale;
  /** How much nearer than `here` the surface at x, y is; NaN where there is none. */
  const frontness = (x: number, y: number, here: number): number => {
    if (x < 0 || y < 0 || x >= width || y >= height) return Number.NaN;
    const there = depth[y * width + x];
    return there === Infinity ? Number.NaN : here - there;
  };
  const open = new Float32Array(depth.length).fill(1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (depth[at] === Infinity) continue;
      let hidden = 0;
      for (let probe = 0; probe < offsets.length; probe += 2) {
        const dx = offsets[probe];
        const dy = offsets[probe + 1];
        // Asking both sides tells a slope (one nearer, one further) from a fold.
        const front = frontness(x + dx, y + dy, depth[at]);
        const behind = frontness(x - dx, y - dy, depth[at]);
        // Not a number where either is empty, and then no rise: outlines stay bright.
        const rise = (front + behind) / range;
        if (rise > 0.05) hidden += Math.min(1, rise) / (1 + Math.max(0, rise - 2) ** 2);
      }
      open[at] = 1 - DARKEST * Math.min(1, hidden / PROBES.length);
    }
  }
  return open;
}
