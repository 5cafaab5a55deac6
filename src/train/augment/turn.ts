import { type Random, randomDirection } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { movePoints } from "./move-points.ts";
import { renormalise } from "./renormalise.ts";

/** A rotation: nine numbers, row by row. */
export type Rotation = readonly number[];

/** The sample turned, then scaled to its new box. */
export function turn(sample: Sample, [a, b, c, d, e, f, g, h, i]: Rotation): Sample {
  const rotate = (from: Float32Array, to: Float32Array, at: number): void => {
    const [x, y, z] = [from[at], from[at + 1], from[at + 2]];
    to[at] = a * x + b * y + c * z;
    to[at + 1] = d * x + e * y + f * z;
    to[at + 2] = g * x + h * y + i * z;
  };
  const normals = new Float32Array(sample.input.normals.length);
  for (let at = 0; at < normals.length; at += 3) rotate(sample.input.normals, normals, at);
  const turned = movePoints(sample, rotate);
  return renormalise({ ...turned, input: { ...turned.input, normals } });
}

/** A turn about the vertical axis. */
export function aboutVertical(radians: number): Rotation {
  const [s, c] = [Math.sin(radians), Math.cos(radians)];
  return [c, 0, s, 0, 1, 0, -s, 0, c];
}

/** A turn about any axis. */
export function aboutAxis([x, y, z]: readonly [number, number, number], radians: number): Rotation {
  const [s, c] = [Math.sin(radians), Math.cos(radians)];
  const k = 1 - c;
  return [
    c + x * x * k,
    x * y * k - z * s,
    x * z * k + y * s,
    y * x * k + z * s,
    c + y * y * k,
    y * z * k - x * s,
    z * x * k - y * s,
    z * y * k + x * s,
    c + z * z * k,
  ];
}

/** Quarter turns that lay an upright character down, or stand it on its head. */
const QUARTERS: readonly (readonly [[number, number, number], number])[] = [
  [[1, 0, 0], Math.PI / 2],
  [[1, 0, 0], -Math.PI / 2],
  [[0, 0, 1], Math.PI / 2],
  [[0, 0, 1], -Math.PI / 2],
  [[1, 0, 0], Math.PI],
];

/** Any turn: mostly the quarter turns of files with another axis up, else one drawn from all. */
export function anyTurn(random: Random): Rotation {
  const [which, quarter, angle] = [random(), random(), random() * 2 * Math.PI];
  const axis = randomDirection(random);
  if (which < 0.3) return aboutAxis(axis, angle);
  return aboutAxis(...QUARTERS[Math.floor(quarter * QUARTERS.length)]);
}
