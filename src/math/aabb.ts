/** An axis-aligned box. */
export interface Aabb {
  min: [number, number, number];
  max: [number, number, number];
}

/**
 * Returns the bounding box of some points.
 *
 * @param points N×3
 * @returns an inverted box (min Infinity, max -Infinity) if there are no points
 */
export function boundsOf(points: ArrayLike<number>): Aabb {
  const box: Aabb = {
    min: [Infinity, Infinity, Infinity],
    max: [-Infinity, -Infinity, -Infinity],
  };
  for (let i = 0; i + 2 < points.length; i += 3) {
    includePoint(box, points[i], points[i + 1], points[i + 2]);
  }
  return box;
}

/** Grows `box` in place to include the point. */
export function includePoint(box: Aabb, x: number, y: number, z: number): void {
  const { min, max } = box;
  if (x < min[0]) min[0] = x;
  if (y < min[1]) min[1] = y;
  if (z < min[2]) min[2] = z;
  if (x > max[0]) max[0] = x;
  if (y > max[1]) max[1] = y;
  if (z > max[2]) max[2] = z;
}

/** Returns the length of the longest side; 0 for an empty box. */
export function longestSide(box: Aabb): number {
  const { min, max } = box;
  return Math.max(0, max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Returns the axis of the longest side; the first of several. */
export function longestAxis({ min, max }: Aabb): number {
  const sides = min.map((low, axis) => max[axis] - low);
  return sides.indexOf(Math.max(...sides));
}

/** Returns the Chebyshev distance from a point to the box (0 inside). */
export function chebyshevDistance(box: Aabb, x: number, y: number, z: number): number {
  const { min, max } = box;
  return Math.max(0, min[0] - x, x - max[0], min[1] - y, y - max[1], min[2] - z, z - max[2]);
}
