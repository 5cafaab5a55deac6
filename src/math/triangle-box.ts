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
