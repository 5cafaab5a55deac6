import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type Bones, boneCount, boneDistance } from "../skeleton/bones.ts";
import {
  type BoneDistances,
  emptyNearest,
  insertNearest,
  MEASURED_BONES,
} from "./bone-distances.ts";

/** Measures the Euclidean distance from every vertex to its K nearest bones, ignoring the surface. */
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
