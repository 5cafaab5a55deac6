import { createPairGeometry, pairGeometry } from "../../graph/pair-geometry.ts";
import type { Sample } from "../sample.ts";
import { movePoints } from "./move-points.ts";
import { renormalise } from "./renormalise.ts";
import { sortSlots } from "./sort-slots.ts";

/**
 * The sample scaled by a different factor along each axis, then brought back to longest side 1.
 *
 * Each distance grows as the straight way from the vertex to its bone does; a path round a corner
 * would differ a little from that, within the range of the factors.
 *
 * @param factors > 0, for x, y and z
 */
export function stretch(sample: Sample, factors: [number, number, number]): Sample {
  const moved = movePoints(sample, (from, to, at) => {
    for (let axis = 0; axis < 3; axis++) to[at + axis] = from[at + axis] * factors[axis];
  });
  const distances = stretchedDistances(sample, factors);
  const normals = stretchedNormals(sample.input.normals, factors);
  return sortSlots(renormalise({ ...moved, input: { ...moved.input, normals, distances } }));
}

function stretchedDistances(
  { input: { mesh, bones, distances } }: Sample,
  [fx, fy, fz]: [number, number, number],
): Sample["input"]["distances"] {
  const geometry = createPairGeometry();
  const mean = Math.cbrt(fx * fy * fz);
  const out = distances.distances.slice();
  for (let i = 0; i < out.length; i++) {
    const bone = distances.bones[i];
    if (bone < 0) continue;
    const at = Math.floor(i / distances.k) * 3;
    const [x, y, z] = [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
    const { offset, distance } = pairGeometry(x, y, z, bones, bone, geometry);
    const after = Math.hypot(offset[0] * fx, offset[1] * fy, offset[2] * fz);
    out[i] *= distance > 0 ? after / distance : mean;
  }
  return { ...distances, distances: out };
}

/** Normals turn the other way than the surface grows. */
function stretchedNormals(normals: Float32Array, factors: number[]): Float32Array {
  const out = new Float32Array(normals.length);
  for (let i = 0; i < out.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) out[i + axis] = normals[i + axis] / factors[axis];
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]);
    if (length > 0) for (let axis = 0; axis < 3; axis++) out[i + axis] /= length;
  }
  return out;
}
