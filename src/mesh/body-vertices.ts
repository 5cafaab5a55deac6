import type { Mesh } from "./mesh.ts";

/** Slices an axis is cut into to see where the vertices are. */
const SLICES = 64;
/** A side this many times as long as what nearly all vertices span has strays at its end. */
const FAR = 10;
/** Vertices that may be strays: this share, and no fewer than a triangle has. */
const STRAY_SHARE = 0.005;
const FEWEST_STRAYS = 3;
/** Of fewer vertices none can be called a stray. */
const SMALLEST_BODY = 50;

/**
 * The vertices that make up a body: corners of triangles, without a far speck.
 *
 * A vertex of no triangle is seen by nobody, and a speck ten bodies away is a mistake; either would
 * shrink the body in whatever is measured by its box. Where most vertices are in no triangle, all
 * count.
 *
 * @returns V, 1 for those that count
 */
export function bodyVertices({ positions, triangles }: Mesh): Uint8Array {
  const body = new Uint8Array(positions.length / 3);
  for (const vertex of triangles) body[vertex] = 1;
  const used = body.reduce((sum, is) => sum + is, 0);
  if (used * 2 < body.length || used === 0) return body.fill(1);
  // One speck may hide another that is not as far.
  while (dropSpeck(positions, body)) {}
  return body;
}

/** Takes out of the body what is far off along some axis; whether there was any. */
function dropSpeck(positions: Float32Array, body: Uint8Array): boolean {
  const total = body.reduce((sum, is) => sum + is, 0);
  if (total < SMALLEST_BODY) return false;
  const most = Math.max(FEWEST_STRAYS, Math.floor(total * STRAY_SHARE));
  const windows = [0, 1, 2].map((axis) => bulkOf(positions, body, axis, most));
  const longest = Math.max(...windows.map(({ low, high }) => high - low));
  const bulk = Math.max(...windows.map(({ from, to }) => to - from));
  if (!(longest > FAR * bulk)) return false;
  for (let v = 0; v < body.length; v++) {
    const isFar = windows.some(({ from, to }, axis) => {
      const value = positions[v * 3 + axis];
      return value < from - bulk || value > to + bulk;
    });
    if (isFar) body[v] = 0;
  }
  return true;
}

/** The range of an axis, and the part of it, in slices, that holds all but `most` vertices at its ends. */
function bulkOf(positions: Float32Array, body: Uint8Array, axis: number, most: number) {
  let [low, high] = [Infinity, -Infinity];
  for (let v = 0; v < body.length; v++) {
    if (!body[v]) continue;
    low = Math.min(low, positions[v * 3 + axis]);
    high = Math.max(high, positions[v * 3 + axis]);
  }
  const slice = (high - low) / SLICES;
  if (!(slice > 0)) return { low, high, from: low, to: high };
  const counts = new Uint32Array(SLICES);
  for (let v = 0; v < body.length; v++) {
    if (body[v])
      counts[Math.min(SLICES - 1, Math.floor((positions[v * 3 + axis] - low) / slice))]++;
  }
  let [first, last, left] = [0, SLICES - 1, most];
  while (first < last && counts[first] <= left) left -= counts[first++];
  while (last > first && counts[last] <= left) left -= counts[last--];
  return { low, high, from: low + first * slice, to: low + (last + 1) * slice };
}
