import { MeshoptSimplifier, type SimplifierFlags } from "meshoptimizer/simplifier";
import type { Mesh } from "./mesh.ts";

/**
 * Triangles that use at most about `limit` of a mesh's vertices; the vertices keep their places.
 *
 * Cards and loose bits simplify badly: more vertices than asked for may stay, and where it would be
 * twice as many, they are clustered on a grid instead. Small loose parts may vanish.
 *
 * Based on: Garland and Heckbert. Surface simplification using quadric error metrics. 1997
 * (through meshoptimizer).
 *
 * @param regular whether triangles should come out alike in size and shape, at some cost in accuracy
 * @returns F'×3, indices into the vertices of `mesh`
 */
export async function simplifyTriangles(
  { positions, triangles }: Mesh,
  limit: number,
  regular = false,
): Promise<Uint32Array> {
  await MeshoptSimplifier.ready;
  const flags: SimplifierFlags[] = regular ? ["Regularize"] : [];
  let target = triangles.length * (limit / (positions.length / 3));
  let best = triangles;
  let fewest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && fewest > limit * 1.1; attempt++) {
    const indices = Math.floor(target / 3) * 3;
    const [result] = MeshoptSimplifier.simplify(triangles, positions, 3, indices, 1, flags);
    const left = countUsed(result, positions.length / 3);
    if (left === 0 || left >= fewest) break;
    best = result;
    fewest = left;
    target *= (limit / left) * 0.95;
  }
  if (fewest <= limit * 2) return best;
  const most = Math.min(triangles.length, Math.floor(limit) * 6);
  const [clustered] = MeshoptSimplifier.simplifySloppy(triangles, positions, 3, null, most, 1);
  return clustered.length > 0 ? clustered : best;
}

function countUsed(triangles: Uint32Array, vertices: number): number {
  const used = new Uint8Array(vertices);
  let count = 0;
  for (const v of triangles) {
    count += 1 - used[v];
    used[v] = 1;
  }
  return count;
}
