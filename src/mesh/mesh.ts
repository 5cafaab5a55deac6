/**
 * A triangle mesh in its bind pose.
 *
 * @example
 * const mesh: Mesh = {
 *   positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
 *   triangles: Uint32Array.of(0, 1, 2),
 * };
 */
export interface Mesh {
  /** V×3, y up. */
  positions: Float32Array;
  /** F×3, indices into the vertices. */
  triangles: Uint32Array;
}

/** Number of vertices V. */
export function vertexCount(mesh: Mesh): number {
  return mesh.positions.length / 3;
}

/** Number of triangles F. */
export function triangleCount(mesh: Mesh): number {
  return mesh.triangles.length / 3;
}
