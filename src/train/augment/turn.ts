import type { Sample } from "../sample.ts";
import { movePoints } from "./move-points.ts";
import { renormalise } from "./renormalise.ts";

/** The sample turned about the vertical axis, then scaled to its new box. */
export function turn(sample: Sample, radians: number): Sample {
  const sine = Math.sin(radians);
  const cosine = Math.cos(radians);
  const rotate = (from: Float32Array, to: Float32Array, at: number): void => {
    to[at] = cosine * from[at] + sine * from[at + 2];
    to[at + 1] = from[at + 1];
    to[at + 2] = cosine * from[at + 2] - sine * from[at];
  };
  const normals = new Float32Array(sample.input.normals.length);
  for (let i = 0; i < normals.length; i += 3) rotate(sample.input.normals, normals, i);
  const turned = movePoints(sample, rotate);
  return renormalise({ ...turned, input: { ...turned.input, normals } });
}
