import { lerp, type ReadonlyVec3, type Vec3 } from "../src/math/vec3.ts";

/**
 * Signed distance of a point to the surface of a solid, negative inside.
 *
 * Shapes here may be off by a modest factor away from their surface, never on it.
 */
export type SignedDistance = (x: number, y: number, z: number) => number;

/** Much faster than Math.hypot, and no value here is close to overflow. */
function size3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** A ball. */
export function ball(center: ReadonlyVec3, radius: number): SignedDistance {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  return (x, y, z) => size3(x - cx, y - cy, z - cz) - radius;
}

/** An ellipsoid along the axes (first-order distance). */
export function ellipsoid(center: ReadonlyVec3, radii: ReadonlyVec3): SignedDistance {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  const [rx, ry, rz] = [1 / radii[0], 1 / radii[1], 1 / radii[2]];
  const least = Math.min(radii[0], radii[1], radii[2]);
  return (x, y, z) => {
    const [ux, uy, uz] = [(x - cx) * rx, (y - cy) * ry, (z - cz) * rz];
    const size = size3(ux, uy, uz);
    const slope = size3(ux * rx, uy * ry, uz * rz);
    return slope > 0 ? (size * (size - 1)) / slope : -least;
  };
}

/** A box along the axes with rounded edges; `half` are half its sides, including the rounding. */
export function roundBox(
  center: ReadonlyVec3,
  half: ReadonlyVec3,
  rounding: number,
): SignedDistance {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  const [hx, hy, hz] = [half[0] - rounding, half[1] - rounding, half[2] - rounding];
  return (x, y, z) => {
    const [dx, dy, dz] = [Math.abs(x - cx) - hx, Math.abs(y - cy) - hy, Math.abs(z - cz) - hz];
    const outside = size3(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
    return outside + Math.min(Math.max(dx, dy, dz), 0) - rounding;
  };
}

/** A straight segment from a to b whose radius runs from ra to rb, with round ends. */
export function cone(a: ReadonlyVec3, b: ReadonlyVec3, ra: number, rb: number): SignedDistance {
  const [ax, ay, az] = [a[0], a[1], a[2]];
  const [bx, by, bz] = [b[0] - ax, b[1] - ay, b[2] - az];
  const share = 1 / Math.max(bx * bx + by * by + bz * bz, 1e-12);
  return (x, y, z) => {
    const [px, py, pz] = [x - ax, y - ay, z - az];
    const t = Math.min(1, Math.max(0, (px * bx + py * by + pz * bz) * share));
    return size3(px - t * bx, py - t * by, pz - t * bz) - ra - t * (rb - ra);
  };
}

/**
 * A flat plate of constant thickness with a round rim: the outline of a {@link cone} seen along an axis.
 *
 * @param axis across the plate: 0, 1 or 2; the plate lies at the height of `a`
 * @param half half the thickness, which is also the radius of the rim
 */
export function plate(
  axis: 0 | 1 | 2,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  ra: number,
  rb: number,
  half: number,
): SignedDistance {
  const flat = [b[0], b[1], b[2]];
  flat[axis] = a[axis];
  const outline = cone(a, flat, ra - half, rb - half);
  return (x, y, z) => {
    const across = (axis === 0 ? x : axis === 1 ? y : z) - a[axis];
    const beyond = outline(axis === 0 ? a[0] : x, axis === 1 ? a[1] : y, axis === 2 ? a[2] : z);
    const rim = Math.max(0, beyond);
    return Math.sqrt(rim * rim + across * across) - half;
  };
}

/** Beyond this distance only a bound is returned; wider than any fillet between shapes. */
const FAR = 0.15;

/** A body swept along a polyline with a radius at each point. */
export function sweep(points: ReadonlyVec3[], radii: ArrayLike<number>): SignedDistance {
  const pieces = points.slice(1).map((point, i) => cone(points[i], point, radii[i], radii[i + 1]));
  const near = enclosingBall(points, radii);
  return (x, y, z) => {
    // Far away, the bounding ball is a sufficient bound, and much cheaper.
    const far = near(x, y, z);
    if (far > FAR) return far;
    let least = Infinity;
    for (const piece of pieces) least = Math.min(least, piece(x, y, z));
    return least;
  };
}

function enclosingBall(points: ReadonlyVec3[], radii: ArrayLike<number>): SignedDistance {
  const center: Vec3 = [0, 0, 0];
  for (const p of points) {
    for (let axis = 0; axis < 3; axis++) center[axis] += p[axis] / points.length;
  }
  const reach = points.map(
    (p, i) => Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]) + radii[i],
  );
  return ball(center, Math.max(...reach));
}

/** A rotated shape: `axes` are the world directions of its own x, y and z (orthonormal). */
export function turned(
  shape: SignedDistance,
  center: ReadonlyVec3,
  axes: ReadonlyVec3[],
): SignedDistance {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  const [u, v, w] = axes;
  return (x, y, z) => {
    const [dx, dy, dz] = [x - cx, y - cy, z - cz];
    return shape(
      cx + dx * u[0] + dy * u[1] + dz * u[2],
      cy + dx * v[0] + dy * v[1] + dz * v[2],
      cz + dx * w[0] + dy * w[1] + dz * w[2],
    );
  };
}

/** A shape stretched about a center by a factor per axis. */
export function stretched(
  shape: SignedDistance,
  center: ReadonlyVec3,
  factors: ReadonlyVec3,
): SignedDistance {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  const [fx, fy, fz] = [1 / factors[0], 1 / factors[1], 1 / factors[2]];
  const least = Math.min(factors[0], factors[1], factors[2]);
  return (x, y, z) => least * shape(cx + (x - cx) * fx, cy + (y - cy) * fy, cz + (z - cz) * fz);
}

/** The smaller of two distances, smoothed where they differ by less than `blend`. */
export function smoothMin(a: number, b: number, blend: number): number {
  const overlap = blend - Math.abs(a - b);
  if (overlap <= 0) return Math.min(a, b);
  return Math.min(a, b) - (overlap * overlap) / (4 * blend);
}

/** The union of shapes, with fillets about as wide as `blend`. */
export function smoothUnion(shapes: SignedDistance[], blend: number): SignedDistance {
  return (x, y, z) => {
    let d = shapes[0](x, y, z);
    for (let i = 1; i < shapes.length; i++) d = smoothMin(d, shapes[i](x, y, z), blend);
    return d;
  };
}

/** The difference of two shapes, with an edge rounded by `blend`. */
export function smoothDifference(
  shape: SignedDistance,
  hole: SignedDistance,
  blend: number,
): SignedDistance {
  return (x, y, z) => -smoothMin(-shape(x, y, z), hole(x, y, z), blend);
}

/**
 * A smooth curve through points (Catmull and Rom), with `steps` segments between consecutive points.
 *
 * @returns (points - 1) × steps + 1 points, including the given ones
 */
export function curveThrough(points: ReadonlyVec3[], steps: number): Vec3[] {
  const last = points.length - 1;
  const curve: Vec3[] = [];
  for (let i = 0; i < last; i++) {
    const [a, b] = [points[i], points[i + 1]];
    // Beyond the ends the curve continues straight.
    const before = i > 0 ? points[i - 1] : lerp(b, a, 2);
    const after = i + 1 < last ? points[i + 2] : lerp(a, b, 2);
    for (let step = 0; step < steps; step++) {
      curve.push(curvePoint(before, a, b, after, step / steps));
    }
  }
  curve.push([points[last][0], points[last][1], points[last][2]]);
  return curve;
}

function curvePoint(
  before: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  after: ReadonlyVec3,
  t: number,
): Vec3 {
  const at = (axis: number) => {
    const [p, q, r, s] = [before[axis], a[axis], b[axis], after[axis]];
    const slope = r - p;
    const bend = 2 * p - 5 * q + 4 * r - s;
    const rest = 3 * q - p - 3 * r + s;
    return q + 0.5 * t * (slope + t * (bend + t * rest));
  };
  return [at(0), at(1), at(2)];
}
