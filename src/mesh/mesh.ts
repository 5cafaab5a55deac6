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

/** Keeps the triangles, F×3, whose corners pass a test. */
export function keepTriangles(
  triangles: Uint32Array,
  test: (a: number, b: number, c: number) => boolean,
): Uint32Array {
  const kept = new Uint32Array(triangles.length);
  let length = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    if (!test(triangles[i], triangles[i + 1], triangles[i + 2])) continue;
    for (let corner = i; corner < i + 3; corner++) kept[length++] = triangles[corner];
  }
  return kept.slice(0, length);
}
