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
