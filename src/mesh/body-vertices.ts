import type { Mesh } from "./mesh.ts";

/** Slices per axis of the vertex histogram. */
const SLICES = 64;
/** Ratio of a side to the extent of nearly all vertices from which it contains stray vertices. */
const FAR = 10;
/** Maximum fraction of stray vertices, and at least a triangle. */
const STRAY_FRACTION = 0.005;
const MIN_STRAYS = 3;
/** Smaller meshes are not searched for strays. */
const MIN_BODY = 50;

/**
 * Returns the vertices that make up the body (V, 1 or 0): corners of triangles, without stray parts far away.
 *
 * Unused vertices are invisible, and a speck ten body lengths away is a mistake; either would shrink the body
 * relative to its bounding box. If most vertices are in no triangle, all count.
 */
export function bodyVertices({ positions, triangles }: Mesh): Uint8Array {
  const body = new Uint8Array(positions.length / 3);
  for (const vertex of triangles) body[vertex] = 1;
  const used = body.reduce((sum, is) => sum + is, 0);
  if (used * 2 < body.length || used === 0) return body.fill(1);
  // One stray part may hide another that is nearer.
  while (dropSpeck(positions, body)) {}
  return body;
}

/** Removes what is far off along some axis from the body; returns whether there was any. */
function dropSpeck(positions: Float32Array, body: Uint8Array): boolean {
  const total = body.reduce((sum, is) => sum + is, 0);
  if (total < MIN_BODY) return false;
  const maxStrays = Math.max(MIN_STRAYS, Math.floor(total * STRAY_FRACTION));
  const windows = [0, 1, 2].map((axis) => bulkOf(positions, body, axis, maxStrays));
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

/** The range of an axis, and the slices of it that hold all but `maxStrays` vertices at its ends. */
function bulkOf(positions: Float32Array, body: Uint8Array, axis: number, maxStrays: number) {
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
  let [first, last, left] = [0, SLICES - 1, maxStrays];
  while (first < last && counts[first] <= left) left -= counts[first++];
  while (last > first && counts[last] <= left) left -= counts[last--];
  return { low, high, from: low + first * slice, to: low + (last + 1) * slice };
}
