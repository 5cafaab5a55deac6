import { type Quaternion, quaternionFromAxisAngle } from "./quaternion.ts";
import { cross, dot, length, normalize, type ReadonlyVec3 } from "./vec3.ts";

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
