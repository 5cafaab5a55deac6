import { power } from "../math/power.ts";
import type { Color } from "./picture.ts";

/** Lightness, green-red and blue-yellow of the perceptually uniform OKLab space. */
type Lab = [number, number, number];

/** Maps numbers from 0 to 1 to colors, clamped. */
export type ColorMap = (t: number) => Color;

/** Weights: pale clay at 0, then violet-blue, teal, green and yellow to red at 1. */
export const heatColor: ColorMap = colorMap([
  [0, [214, 213, 212]],
  [0.03, [186, 186, 214]],
  [0.14, [84, 92, 190]],
  [0.34, [24, 144, 186]],
  [0.52, [64, 186, 122]],
  [0.72, [240, 208, 60]],
  [0.87, [240, 130, 44]],
  [1, [206, 34, 38]],
]);

/** Errors: pale clay at 0, then yellow and orange to dark red at 1. */
export const errorColor: ColorMap = colorMap([
  [0, [226, 228, 230]],
  [0.25, [250, 214, 130]],
  [0.55, [240, 128, 60]],
  [0.8, [200, 36, 50]],
  [1, [96, 8, 42]],
]);

/** Golden angle: hues at multiples of it are spread evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Lightness and chroma of consecutive bones. */
const BONE_TONES = [
  [0.72, 0.14],
  [0.6, 0.15],
  [0.82, 0.11],
];

/** Returns the color of a bone; consecutive ones are clearly different. */
export function boneColor(bone: number): Color {
  const [lightness, chroma] = BONE_TONES[bone % BONE_TONES.length];
  const hue = 0.7 + bone * GOLDEN_ANGLE;
  return fromLab([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
}

/** Creates a perceptually uniform color map through anchor colors. */
export function colorMap(anchors: [at: number, color: Color][]): ColorMap {
  const labs = anchors.map(([, color]) => toLab(color));
  const steps = 512;
  const table = Array.from({ length: steps + 1 }, (_, i): Color => {
    const t = i / steps;
    const next = anchors.findIndex(([at]) => at >= t);
    if (next <= 0) return anchors[0][1];
    const [from, to] = [anchors[next - 1][0], anchors[next][0]];
    const f = (t - from) / (to - from);
    const mix = labs[next - 1].map((value, k) => value + f * (labs[next][k] - value));
    return fromLab(mix as Lab);
  });
  return (t) => table[Math.round(Math.min(1, Math.max(0, t)) * steps)] ?? table[0];
}

/** Converts an sRGB channel 0..255 to linear light 0..1. */
export function toLinear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : power((c + 0.055) / 1.055, 2.4);
}

/** Converts linear light 0..1 to an sRGB channel 0..255. */
export function fromLinear(light: number): number {
  const c = Math.min(1, Math.max(0, light));
  return 255 * (c <= 0.0031308 ? c * 12.92 : 1.055 * power(c, 1 / 2.4) - 0.055);
}

/** Based on: Ottosson. A perceptual color space for image processing. 2020. */
function toLab(color: Color): Lab {
  const [r, g, b] = color.map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): Color {
  const cube = (value: number) => value * value * value;
  const l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const s = cube(lightness - 0.0894841775 * a - 1.291485548 * b);
  return [
    Math.round(fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    Math.round(fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    Math.round(fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  ];
}
