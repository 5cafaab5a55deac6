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
