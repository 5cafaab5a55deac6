/** A point or direction x, y, z. */
export type Vec3 = [number, number, number];

/** Any three numbers read as a vector. */
export type ReadonlyVec3 = ArrayLike<number>;

/** a + b. */
export function add(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** a - b. */
export function subtract(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** a times the number s. */
export function scale(a: ReadonlyVec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s];
}

/** The point at share t of the way from a to b; t is not clamped. */
export function lerp(a: ReadonlyVec3, b: ReadonlyVec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** The dot product. */
export function dot(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The cross product, right-handed. */
export function cross(a: ReadonlyVec3, b: ReadonlyVec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The Euclidean length. */
export function length(a: ReadonlyVec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** The Euclidean distance of two points. */
export function distance(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The Euclidean distance of two points of a list, N×3. */
export function distanceOf(points: ArrayLike<number>, a: number, b: number): number {
  const dx = points[a * 3] - points[b * 3];
  const dy = points[a * 3 + 1] - points[b * 3 + 1];
  const dz = points[a * 3 + 2] - points[b * 3 + 2];
  return Math.hypot(dx, dy, dz);
}

/** a with length 1; the zero vector stays zero. */
export function normalize(a: ReadonlyVec3): Vec3 {
  const size = length(a);
  return size > 0 ? scale(a, 1 / size) : [0, 0, 0];
}
