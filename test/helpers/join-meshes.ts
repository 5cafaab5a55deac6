import type { Mesh } from "../../src/mesh/mesh.ts";

/** Joins meshes into one. */
export function joinMeshes(...meshes: Mesh[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const vertex of mesh.triangles) triangles.push(vertex + first);
    for (const coordinate of mesh.positions) positions.push(coordinate);
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
