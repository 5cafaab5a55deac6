/**
 * Finds the point of a triangle nearest to a given point, as barycentric coordinates.
 *
 * Degenerate triangles are handled as segments or points.
 * Based on: C. Ericson. Real-Time Collision Detection. 2004 (section 5.1.5).
 *
 * @param t 9, the three corners
 * @param out 3, weights of the corners, >= 0, sum 1
 * @returns the squared distance
 */
export function nearestOnTriangle(
  t: ArrayLike<number>,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): number {
  const ux = t[3] - t[0];
  const uy = t[4] - t[1];
  const uz = t[5] - t[2];
  const vx = t[6] - t[0];
  const vy = t[7] - t[1];
  const vz = t[8] - t[2];
  const px = x - t[0];
  const py = y - t[1];
  const pz = z - t[2];
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const pu = px * ux + py * uy + pz * uz;
  const pv = px * vx + py * vy + pz * vz;
  // Barycentric coordinates of the projection, times the squared double area.
  const area = uu * vv - uv * uv;
  const b = vv * pu - uv * pv;
  const c = uu * pv - uv * pu;
  if (area > FLAT * uu * vv && b >= 0 && c >= 0 && b + c <= area) {
    out[1] = b / area;
    out[2] = c / area;
    out[0] = 1 - out[1] - out[2];
    const dx = out[1] * ux + out[2] * vx - px;
    const dy = out[1] * uy + out[2] * vy - py;
    const dz = out[1] * uz + out[2] * vz - pz;
    return dx * dx + dy * dy + dz * dz;
  }
  return nearestOnEdges(uu, uv, vv, pu, pv, px * px + py * py + pz * pz, out);
}

/** Fraction of its maximum possible area below which a triangle is degenerate. */
const FLAT = 1e-12;

/** The nearest point of the three edges, from dot products of the edge vectors u, v and the point p. */
function nearestOnEdges(
  uu: number,
  uv: number,
  vv: number,
  pu: number,
  pv: number,
  pp: number,
  out: Float64Array,
): number {
  const s = along(pu, uu);
  const r = along(pv, vv);
  const w = along(pv - pu + uu - uv, uu - 2 * uv + vv);
  const onU = pp - 2 * s * pu + s * s * uu;
  const onV = pp - 2 * r * pv + r * r * vv;
  const q = 1 - w;
  const onW = pp - 2 * (q * pu + w * pv) + q * q * uu + 2 * q * w * uv + w * w * vv;
  if (onU <= onV && onU <= onW) {
    out[0] = 1 - s;
    out[1] = s;
    out[2] = 0;
    return Math.max(0, onU);
  }
  if (onV <= onW) {
    out[0] = 1 - r;
    out[1] = 0;
    out[2] = r;
    return Math.max(0, onV);
  }
  out[0] = 0;
  out[1] = q;
  out[2] = w;
  return Math.max(0, onW);
}

function along(product: number, square: number): number {
  return square > 0 ? Math.min(1, Math.max(0, product / square)) : 0;
}
