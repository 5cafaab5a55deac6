import type { SkinWeights } from "../../../src/index.ts";

/**
 * Rotates normals with the joints that their vertices follow.
 *
 * @param out V×3, unit length
 * @param normals V×3 in the bind pose
 * @param welded V, the row of each vertex
 * @param matrices J×16
 */
export function poseNormals(
  out: Float32Array,
  normals: Float32Array,
  welded: Int32Array,
  { influences, joints, weights }: SkinWeights,
  matrices: Float32Array,
): void {
  for (let v = 0; v < welded.length; v++) {
    const [x, y, z] = [normals[v * 3], normals[v * 3 + 1], normals[v * 3 + 2]];
    let [nx, ny, nz] = [0, 0, 0];
    const row = welded[v] * influences;
    for (let slot = row; slot < row + influences; slot++) {
      const weight = weights[slot];
      if (weight === 0) continue;
      const m = joints[slot] * 16;
      nx += weight * (matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z);
      ny += weight * (matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z);
      nz += weight * (matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z);
    }
    const size = Math.hypot(nx, ny, nz) || 1;
    out[v * 3] = nx / size;
    out[v * 3 + 1] = ny / size;
    out[v * 3 + 2] = nz / size;
  }
}

/** Mean normal of the faces around each vertex, weighted by area, unit length. */
export function faceNormals(out: Float32Array, points: Float32Array, triangles: Uint32Array): void {
  out.fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i] * 3, triangles[i + 1] * 3, triangles[i + 2] * 3];
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const corner of [a, b, c]) {
      out[corner] += x;
      out[corner + 1] += y;
      out[corner + 2] += z;
    }
  }
  for (let i = 0; i < out.length; i += 3) {
    const size = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    out[i] /= size;
    out[i + 1] /= size;
    out[i + 2] /= size;
  }
}
