import type { ReadonlyMat4 } from "./mat4.ts";
import { cross, dot, length, normalize, type ReadonlyVec3, type Vec3 } from "./vec3.ts";

/** A rotation x, y, z, w (w is the real part), as in glTF. */
export type Quaternion = [number, number, number, number];

/** Any four numbers read as a quaternion x, y, z, w. */
type ReadonlyQuaternion = ArrayLike<number>;

/** Returns the rotation by `radians` about a nonzero axis, counterclockwise seen from its tip. */
export function quaternionFromAxisAngle(axis: ReadonlyVec3, radians: number): Quaternion {
  const [x, y, z] = normalize(axis);
  const sine = Math.sin(radians / 2);
  return [x * sine, y * sine, z * sine, Math.cos(radians / 2)];
}

/** Returns the product a · b: the rotation by b, then by a. */
export function multiplyQuaternions(a: ReadonlyQuaternion, b: ReadonlyQuaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Normalizes q; a zero quaternion becomes the identity. */
export function normalizeQuaternion(q: ReadonlyQuaternion): Quaternion {
  const size = Math.hypot(q[0], q[1], q[2], q[3]);
  return size > 0 ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : [0, 0, 0, 1];
}

/** Rotates the vector v by the unit quaternion q. */
export function rotateVector(q: ReadonlyQuaternion, v: ReadonlyVec3): Vec3 {
  const tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  const ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  const tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  return [
    v[0] + q[3] * tx + q[1] * tz - q[2] * ty,
    v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
    v[2] + q[3] * tz + q[0] * ty - q[1] * tx,
  ];
}

/**
 * Returns the rotation of a matrix without mirroring; its scale is removed first.
 *
 * Branches on the largest component to avoid division by small numbers (Shepperd, 1978).
 */
export function quaternionFromMat4(m: ReadonlyMat4): Quaternion {
  const sx = 1 / length([m[0], m[1], m[2]]);
  const sy = 1 / length([m[4], m[5], m[6]]);
  const sz = 1 / length([m[8], m[9], m[10]]);
  const [xx, xy, xz] = [m[0] * sx, m[1] * sx, m[2] * sx];
  const [yx, yy, yz] = [m[4] * sy, m[5] * sy, m[6] * sy];
  const [zx, zy, zz] = [m[8] * sz, m[9] * sz, m[10] * sz];
  const trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) {
    return normalizeQuaternion([yz - zy, zx - xz, xy - yx, 1 + trace]);
  }
  if (xx >= yy && xx >= zz) {
    return normalizeQuaternion([1 + xx - yy - zz, xy + yx, xz + zx, yz - zy]);
  }
  if (yy >= zz) return normalizeQuaternion([xy + yx, 1 + yy - xx - zz, yz + zy, zx - xz]);
  return normalizeQuaternion([xz + zx, yz + zy, 1 + zz - xx - yy, xy - yx]);
}

/** Interpolates unit quaternions along the shorter arc; t from 0 to 1. */
export function slerp(a: ReadonlyQuaternion, b: ReadonlyQuaternion, t: number): Quaternion {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  // Nearly equal rotations: the sines vanish, and linear interpolation is exact to rounding.
  const flat = angle < 1e-6;
  const wa = flat ? 1 - t : Math.sin((1 - t) * angle) / Math.sin(angle);
  const wb = sign * (flat ? t : Math.sin(t * angle) / Math.sin(angle));
  return normalizeQuaternion([
    wa * a[0] + wb * b[0],
    wa * a[1] + wb * b[1],
    wa * a[2] + wb * b[2],
    wa * a[3] + wb * b[3],
  ]);
}

/** Returns the smallest rotation from one direction to another. */
export function rotationBetween(from: ReadonlyVec3, to: ReadonlyVec3): Quaternion {
  const [a, b] = [normalize(from), normalize(to)];
  const axis = cross(a, b);
  const sine = length(axis);
  if (sine < 1e-6) {
    if (dot(a, b) > 0 || length(from) === 0 || length(to) === 0) return [0, 0, 0, 1];
    const side = Math.abs(a[0]) < 0.9 ? cross(a, [1, 0, 0]) : cross(a, [0, 1, 0]);
    return quaternionFromAxisAngle(side, Math.PI);
  }
  return quaternionFromAxisAngle(axis, Math.atan2(sine, dot(a, b)));
}
