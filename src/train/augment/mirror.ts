import type { Sample } from "../sample.ts";
import { movePoints } from "./move-points.ts";

/** The sample seen in a mirror (x changes sign); triangles are wound the other way, so they still face out. */
export function mirror(sample: Sample): Sample {
  const mirrored = movePoints(sample, flip);
  const normals = sample.input.normals.slice();
  for (let i = 0; i < normals.length; i += 3) normals[i] = -normals[i];
  const triangles = sample.input.mesh.triangles.slice();
  for (let i = 0; i < triangles.length; i += 3) {
    [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
  }
  const { input } = mirrored;
  return { ...mirrored, input: { ...input, normals, mesh: { ...input.mesh, triangles } } };
}

function flip(from: Float32Array, to: Float32Array, at: number): void {
  to[at] = -from[at];
  to[at + 1] = from[at + 1];
  to[at + 2] = from[at + 2];
}
