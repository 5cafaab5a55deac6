import { segmentDistance } from "../math/segment.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type Bones, boneCount } from "../skeleton/bones.ts";
import type { BoneDistances } from "./bone-distances.ts";
import { emptyNearest, insertNearest, MEASURED_BONES } from "./nearest-k.ts";

/** Straight-line distance from every vertex to its K nearest bones; blind to the surface. */
export function euclideanDistances(
  mesh: Mesh,
  bones: Bones,
  options: { k?: number | undefined } = {},
): BoneDistances {
  const count = vertexCount(mesh);
  const nearest = emptyNearest(count, options.k ?? MEASURED_BONES);
  const { k, distances } = nearest;
  for (let b = 0; b < boneCount(bones); b++) {
    for (let v = 0; v < count; v++) {
      const distance = Math.fround(boneDistance(bones, b, mesh.positions, v));
      if (distance < distances[v * k + k - 1]) insertNearest(nearest, v, b, distance);
    }
  }
  return nearest;
}

/** Euclidean distance from vertex v to bone b. */
export function boneDistance(bones: Bones, b: number, positions: Float32Array, v: number): number {
  return distanceToBone(bones, b, positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
}

/** Euclidean distance from a point to the nearest segment of bone b. */
export function distanceToBone(bones: Bones, b: number, x: number, y: number, z: number): number {
  let best = Infinity;
  for (let s = bones.starts[b]; s < bones.starts[b + 1]; s++) {
    const d = segmentDistance(bones.segments, s, x, y, z);
    if (d < best) best = d;
  }
  return best;
}
