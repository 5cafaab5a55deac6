/** A point or direction x, y, z. */
export type Vec3 = [number, number, number];

/** Any three numbers read as a vector. */
export type ReadonlyVec3 = ArrayLike<number>;

/** Returns a + b. */
export function add(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** Returns a - b. */
export function subtract(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** Returns a · s. */
export function scale(a: ReadonlyVec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s];
}

/** Interpolates linearly from a to b; t is not clamped. */
export function lerp(a: ReadonlyVec3, b: ReadonlyVec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** Returns the dot product. */
export function dot(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Returns the cross product, right-handed. */
export function cross(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Returns the Euclidean length. */
export function length(a: ReadonlyVec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** Returns the distance between two points. */
export function distance(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns the distance between two points of a list, N×3. */
export function distanceOf(points: ArrayLike<number>, a: number, b: number): number {
  const dx = points[a * 3] - points[b * 3];
  const dy = points[a * 3 + 1] - points[b * 3 + 1];
  return Math.hypot(dx, dy, points[a * 3 + 2] - points[b * 3 + 2]);
}

/** Normalizes a; the zero vector stays zero. */
export function normalize(a: ReadonlyVec3): Vec3 {
  const size = length(a);
  return size > 0 ? scale(a, 1 / size) : [0, 0, 0];
}

/**
 * Returns the parameter of the point on the segment a→b nearest to p: 0 at a, 1 at b; 0 if a = b.
 *
 * @param segments S×6, head then tail
 * @param s index of the segment
 */
export function nearestParameter(
  segments: ArrayLike<number>,
  s: number,
  px: number,
  py: number,
  pz: number,
): number {
  const o = s * 6;
  const ax = segments[o];
  const ay = segments[o + 1];
  const az = segments[o + 2];
  const dx = segments[o + 3] - ax;
  const dy = segments[o + 4] - ay;
  const dz = segments[o + 5] - az;
  const lengthSquared = dx * dx + dy * dy + dz * dz;
  if (!(lengthSquared > 0)) return 0;
  const t = ((px - ax) * dx + (py - ay) * dy + (pz - az) * dz) / lengthSquared;
  return t < 0 ? 0 : t > 1 ? 1 : t;
}

/** Returns the distance from a point to segment `s` of `segments` (S×6, head then tail). */
export function segmentDistance(
  segments: ArrayLike<number>,
  s: number,
  px: number,
  py: number,
  pz: number,
): number {
  const t = nearestParameter(segments, s, px, py, pz);
  const o = s * 6;
  const dx = segments[o] + t * (segments[o + 3] - segments[o]) - px;
  const dy = segments[o + 1] + t * (segments[o + 4] - segments[o + 1]) - py;
  const dz = segments[o + 2] + t * (segments[o + 5] - segments[o + 2]) - pz;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
