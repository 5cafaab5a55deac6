/** The first triangle that a ray hits. */
export interface RayHit {
  /** Index of its first corner in the list of triangles. */
  corner: number;
  /** Distance along the ray. */
  distance: number;
}

/**
 * Finds the nearest triangle on a ray, from either side (Möller and Trumbore 1997); undefined if it misses.
 *
 * @param positions P×3
 * @param triangles F×3
 */
export function hitMesh(
  positions: Float32Array,
  triangles: Uint32Array,
  [ox, oy, oz]: readonly number[],
  [dx, dy, dz]: readonly number[],
): RayHit | undefined {
  let best = Infinity;
  let corner = -1;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i] * 3, triangles[i + 1] * 3, triangles[i + 2] * 3];
    const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
    const [ux, uy, uz] = [positions[b] - ax, positions[b + 1] - ay, positions[b + 2] - az];
    const [vx, vy, vz] = [positions[c] - ax, positions[c + 1] - ay, positions[c + 2] - az];
    const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const [tx, ty, tz] = [ox - ax, oy - ay, oz - az];
    const s = (tx * px + ty * py + tz * pz) / determinant;
    if (!(s >= 0 && s <= 1)) continue;
    const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
    const t = (dx * qx + dy * qy + dz * qz) / determinant;
    if (!(t >= 0 && s + t <= 1)) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / determinant;
    if (distance > 0 && distance < best) [best, corner] = [distance, i];
  }
  return corner < 0 ? undefined : { corner, distance: best };
}
