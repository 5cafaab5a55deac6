import { boundsOf } from "../math/aabb.ts";
import type { BodyDepth } from "./body-depth.ts";

/** Slabs into which a body is cut along each axis. */
const SLABS = 8;
/** Heights at which the separate pieces of a horizontal cut are counted, as fractions. */
const CUTS = [0.04, 0.12, 0.22, 0.35, 0.5, 0.7];

/**
 * Describes the shape of a body by numbers from -1 to 1 that do not depend on its size: how it fills slabs of its
 * bounding box, and in how many pieces horizontal cuts fall. y is up; left and right count alike.
 *
 * @returns undefined for a body without an inside
 */
export function bodyShape({ grid, depths }: BodyDepth): number[] | undefined {
  const cells = insideList(depths, grid.nx, grid.ny);
  if (cells.length === 0) return undefined;
  const { min, max } = boundsOf(cells.flat());
  const size = max.map((value, axis) => value - min[axis] + 1);
  const longest = Math.max(...size);
  const [w, h, d] = size;
  const log = (ratio: number) => Math.tanh(Math.log(ratio) / 2);
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const out = [
    log(w / h),
    log(d / h),
    log(d / w),
    (2 * Math.min(w, h, d)) / longest - 1,
    (2 * cells.length) / (w * h * d) - 1,
    (4 * deepest) / longest - 1,
  ];
  // |x| from the middle, y and z within the box: 0 to 1.
  const at = (cell: readonly number[], axis: number) =>
    axis === 0
      ? Math.min(0.999, Math.abs((2 * (cell[0] - min[0] + 0.5)) / w - 1))
      : (cell[axis] - min[axis] + 0.5) / size[axis];
  for (const axis of [0, 1, 2]) {
    const slabs = Array.from({ length: SLABS }, () => [] as (readonly number[])[]);
    for (const cell of cells) slabs[Math.floor(at(cell, axis) * SLABS)].push(cell);
    const [u, v] = [0, 1, 2].filter((other) => other !== axis);
    const full = (size[u] * size[v] * size[axis]) / SLABS;
    for (const slab of slabs) {
      const range = (other: number) => {
        const values = slab.map((cell) => at(cell, other));
        const low = values.reduce((a, b) => Math.min(a, b), 1);
        const high = values.reduce((a, b) => Math.max(a, b), 0);
        return slab.length === 0 ? [0, 0] : [low, high];
      };
      // Of |x| only the outer end says something.
      const across = range(u).slice(u === 0 ? 1 : 0);
      out.push(2 * Math.sqrt(slab.length / full) - 1, ...across, ...range(v));
    }
  }
  for (const cut of CUTS) {
    const y = Math.min(max[1], Math.floor(min[1] + cut * h));
    const pieces = piecesOf(cells.filter((cell) => cell[1] === y));
    const sided = pieces.filter(({ x }) => Math.abs(x - (min[0] + max[0]) / 2) > 0.05 * longest);
    out.push(
      Math.tanh(pieces.length / 4),
      Math.tanh(sided.length / 4),
      Math.tanh(sided.filter(({ z }) => z > (min[2] + max[2]) / 2).length / 2),
      pieces.reduce((most, { count }) => Math.max(most, count), 0) / (w * d),
    );
  }
  return out;
}

/** x, y and z of the cells inside. */
function insideList(depths: Float32Array, nx: number, ny: number): [number, number, number][] {
  const cells: [number, number, number][] = [];
  depths.forEach((depth, cell) => {
    if (depth > 0)
      cells.push([cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))]);
  });
  return cells;
}

/** The connected pieces of a horizontal cut, of three cells or more: their centers and sizes. */
function piecesOf(cut: readonly [number, number, number][]) {
  const open = new Map(cut.map((cell) => [`${cell[0]},${cell[2]}`, cell]));
  const pieces: { x: number; z: number; count: number }[] = [];
  for (const start of cut) {
    if (!open.delete(`${start[0]},${start[2]}`)) continue;
    const piece = [start];
    for (const [x, , z] of piece) {
      for (const key of [`${x - 1},${z}`, `${x + 1},${z}`, `${x},${z - 1}`, `${x},${z + 1}`]) {
        const next = open.get(key);
        if (next && open.delete(key)) piece.push(next);
      }
    }
    const count = piece.length;
    if (count < 3) continue;
    const center = (axis: 0 | 2) => piece.reduce((sum, cell) => sum + cell[axis], 0) / count;
    pieces.push({ x: center(0), z: center(2), count });
  }
  return pieces;
}
