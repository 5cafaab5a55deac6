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

/** Relative rounding slack; touching counts as overlap, so err on that side. */
const SLACK = 1e-9;

/**
 * Whether a triangle touches an axis-aligned box (both closed).
 *
 * Separating axes: the box's three, the triangle's normal, and the nine cross products of their edges.
 * Degenerate triangles need no special case.
 * Based on: T. Akenine-Möller. Fast 3D Triangle-Box Overlap Testing. 2001.
 *
 * @param t 9, the three corners
 */
export function triangleTouchesBox(
  t: ArrayLike<number>,
  cx: number,
  cy: number,
  cz: number,
  hx: number,
  hy: number,
  hz: number,
): boolean {
  const ax = t[0] - cx;
  const ay = t[1] - cy;
  const az = t[2] - cz;
  const bx = t[3] - cx;
  const by = t[4] - cy;
  const bz = t[5] - cz;
  const dx = t[6] - cx;
  const dy = t[7] - cy;
  const dz = t[8] - cz;
  if (apart(ax, bx, dx, hx) || apart(ay, by, dy, hy) || apart(az, bz, dz, hz)) return false;

  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = dx - bx;
  const vy = dy - by;
  const vz = dz - bz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const reach = hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz);
  const offset = Math.abs(nx * ax + ny * ay + nz * az);
  if (offset > reach + SLACK * (offset + reach)) return false;

  const wx = ax - dx;
  const wy = ay - dy;
  const wz = az - dz;
  // Along x × edge, y × edge and z × edge both ends of an edge have the same projection, so each line
  // compares an end of the edge with the opposite corner.
  return !(
    apart2(uz * ay - uy * az, uz * dy - uy * dz, hy * Math.abs(uz) + hz * Math.abs(uy)) ||
    apart2(ux * az - uz * ax, ux * dz - uz * dx, hz * Math.abs(ux) + hx * Math.abs(uz)) ||
    apart2(uy * ax - ux * ay, uy * dx - ux * dy, hx * Math.abs(uy) + hy * Math.abs(ux)) ||
    apart2(vz * by - vy * bz, vz * ay - vy * az, hy * Math.abs(vz) + hz * Math.abs(vy)) ||
    apart2(vx * bz - vz * bx, vx * az - vz * ax, hz * Math.abs(vx) + hx * Math.abs(vz)) ||
    apart2(vy * bx - vx * by, vy * ax - vx * ay, hx * Math.abs(vy) + hy * Math.abs(vx)) ||
    apart2(wz * dy - wy * dz, wz * by - wy * bz, hy * Math.abs(wz) + hz * Math.abs(wy)) ||
    apart2(wx * dz - wz * dx, wx * bz - wz * bx, hz * Math.abs(wx) + hx * Math.abs(wz)) ||
    apart2(wy * dx - wx * dy, wy * bx - wx * by, hx * Math.abs(wy) + hy * Math.abs(wx))
  );
}

function apart(a: number, b: number, c: number, reach: number): boolean {
  const low = a < b ? (a < c ? a : c) : b < c ? b : c;
  const high = a > b ? (a > c ? a : c) : b > c ? b : c;
  const slack = SLACK * (reach + high - low);
  return low > reach + slack || high < -reach - slack;
}

function apart2(a: number, b: number, reach: number): boolean {
  const low = a < b ? a : b;
  const high = a < b ? b : a;
  const slack = SLACK * (reach + high - low);
  return low > reach + slack || high < -reach - slack;
}
