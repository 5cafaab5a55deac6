/**
 * Cuts one polygon into triangles by clipping ears in the plane that fits it best (Newell's normal).
 *
 * @param points C×3
 * @param corners point indices around the polygon
 * @returns triples of positions in `corners`, wound as the polygon is; always corners.length - 2 of them
 */
export function triangulate(points: Float32Array, corners: ArrayLike<number>): number[] {
  const left = Array.from({ length: corners.length }, (_, i) => i);
  if (corners.length === 3) return left;
  const flat = flatten(points, corners);
  const out: number[] = [];
  while (left.length > 3) {
    const ear = left.length > MOST_CLIPPED ? -1 : left.findIndex((_, i) => isEar(flat, left, i));
    // Crossed or collinear outlines have no ear: a fan, since every corner must end in a triangle.
    if (ear < 0) return [...out, ...fan(left)];
    out.push(left[(ear + left.length - 1) % left.length], left[ear], left[(ear + 1) % left.length]);
    left.splice(ear, 1);
  }
  return left.length === 3 ? [...out, ...left] : out;
}

/** Outlines of more corners come from no artist, and clipping them takes their square in time. */
const MOST_CLIPPED = 512;

function fan(left: number[]): number[] {
  return left.slice(2).flatMap((corner, i) => [left[0], left[i + 1], corner]);
}

function flatten(points: Float32Array, corners: ArrayLike<number>): [number, number][] {
  const at = (i: number) => points.subarray(corners[i] * 3, corners[i] * 3 + 3);
  const normal = [0, 0, 0];
  for (let i = 0; i < corners.length; i++) {
    const a = at(i);
    const b = at((i + 1) % corners.length);
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      normal[axis] += (a[u] - b[u]) * (a[v] + b[v]);
    }
  }
  // Drop the axis the polygon faces most; the order of the other two keeps it counter-clockwise.
  const sizes = normal.map(Math.abs);
  const drop = sizes.indexOf(Math.max(...sizes));
  const [u, v] = [(drop + 1) % 3, (drop + 2) % 3];
  const sign = normal[drop] < 0 ? -1 : 1;
  return Array.from({ length: corners.length }, (_, i) => [at(i)[u], at(i)[v] * sign]);
}

function isEar(flat: [number, number][], left: number[], i: number): boolean {
  const before = flat[left[(i + left.length - 1) % left.length]];
  const here = flat[left[i]];
  const after = flat[left[(i + 1) % left.length]];
  if (turn(before, here, after) <= 0) return false;
  return left.every((corner) => {
    const p = flat[corner];
    if (p === before || p === here || p === after) return true;
    return turn(before, here, p) < 0 || turn(here, after, p) < 0 || turn(after, before, p) < 0;
  });
}

function turn(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
