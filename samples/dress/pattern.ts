import { createRandom } from "../../src/math/random.ts";
import type { Picture } from "../../src/picture/picture.ts";

/** Materials of a coat. */
export type Material = "fur" | "scales" | "cloth" | "feathers" | "slime" | "metal";

const SIDE = 128;

/** A value 0 to 1 at each position of the tile; 1 is the brightest. */
type Shade = (u: number, v: number, noise: (u: number, v: number) => number) => number;

const SHADES: Record<Material, Shade> = {
  fur: (u, v, noise) => 0.72 + 0.28 * noise(u * 30 + 2 * noise(u * 6, v * 6), v * 9),
  cloth: (u, v, noise) => {
    const weave = Math.sin(u * 50.265) * Math.sin(v * 50.265);
    return 0.95 + 0.025 * weave + 0.05 * (noise(u * 16, v * 16) - 0.5);
  },
  scales: (u, v, noise) => {
    const row = Math.floor(v * 12);
    const x = u * 10 + (row % 2) / 2;
    const reach = Math.hypot(x - Math.floor(x) - 0.5, v * 12 - row - 1);
    return 0.7 + 0.3 * Math.min(1, Math.abs(reach - 0.72) * 5) * (0.8 + 0.2 * noise(u * 9, v * 9));
  },
  feathers: (u, v, noise) => {
    const row = Math.floor(v * 8);
    const reach = (v * 8 - row) ** 2;
    return 0.78 + 0.22 * (1 - reach) + 0.06 * (noise(u * 40, v * 8) - 0.5);
  },
  slime: (u, v, noise) => 0.82 + 0.18 * noise(u * 8, v * 8),
  metal: (u, v, noise) => {
    const line = Math.min(Math.abs(((u * 4) % 1) - 0.5), Math.abs(((v * 4) % 1) - 0.5));
    return (line < 0.02 ? 0.7 : 0.94) + 0.06 * noise(u * 4, v * 60);
  },
};

/** Generates a tile of a material in grays; its borders match when it repeats. */
export function patternTile(material: Material): Picture {
  const noise = tiledNoise(material);
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const gray = 255 * Math.min(1, SHADES[material](x / SIDE, y / SIDE, noise));
      pixels.fill(gray, (y * SIDE + x) * 4, (y * SIDE + x) * 4 + 3);
    }
  }
  return { width: SIDE, height: SIDE, pixels };
}

/** Smooth noise, 0 to 1, over cells of a lattice that repeats every 256. */
function tiledNoise(seed: string): (u: number, v: number) => number {
  const random = createRandom(seed);
  const lattice = Float32Array.from({ length: 65536 }, () => random());
  const at = (x: number, y: number) => lattice[(x & 255) * 256 + (y & 255)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  return (u, v) => {
    const [x, y] = [Math.floor(u), Math.floor(v)];
    const [s, t] = [ease(u - x), ease(v - y)];
    const low = at(x, y) * (1 - s) + at(x + 1, y) * s;
    const high = at(x, y + 1) * (1 - s) + at(x + 1, y + 1) * s;
    return low * (1 - t) + high * t;
  };
}
