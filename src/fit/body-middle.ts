import { MinHeap } from "../math/min-heap.ts";
import { power } from "../math/power.ts";
import { distance, type Vec3 } from "../math/vec3.ts";
import { cellAt, faceNeighbors } from "../voxel/voxel-grid.ts";
import { type BodyDepth, cellCenter } from "./body-depth.ts";

/**
 * Finds a path through the middle of the body from one point to another.
 *
 * @returns points from `from` to `to`, smoothed; the straight line if no path is inside the body
 */
export function middlePath(
  body: BodyDepth,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
): Vec3[] {
  const { grid, depths } = body;
  const [start, goal] = [from, to].map((p) => cellAt(grid, p[0], p[1], p[2]));
  const came = search(body, start, goal);
  const ends: Vec3[] = [
    [from[0], from[1], from[2]],
    [to[0], to[1], to[2]],
  ];
  if (!came || depths[goal] === 0) return ends;
  const cells: number[] = [];
  for (let at = goal; at !== start; at = came[at]) cells.push(at);
  const points = cells.reverse().map((cell) => cellCenter(grid, cell));
  return smoothed([ends[0], ...points.slice(0, -1), ends[1]]);
}

/** Dijkstra's search; steps near the wall cost more. */
function search({ grid, depths }: BodyDepth, start: number, goal: number): Int32Array | undefined {
  const best = new Float64Array(depths.length).fill(Infinity);
  const came = new Int32Array(depths.length).fill(-1);
  const open = new MinHeap();
  best[start] = 0;
  open.push(0, start);
  while (open.size > 0) {
    const key = open.peekKey();
    const cell = open.pop();
    if (cell === goal) return came;
    if (key > best[cell]) continue;
    for (const next of faceNeighbors(grid, cell)) {
      if (depths[next] === 0) continue;
      const cost = best[cell] + power(depths[next] + 0.5, -1.5);
      if (cost >= best[next]) continue;
      best[next] = cost;
      came[next] = cell;
      open.push(cost, next);
    }
  }
  return undefined;
}

function smoothed(points: Vec3[]): Vec3[] {
  let line = points;
  for (let round = 0; round < 8; round++) {
    line = line.map((point, i) => {
      const [before, after] = [line[i - 1], line[i + 1]];
      if (!before || !after) return point;
      return point.map((value, axis) => value / 2 + (before[axis] + after[axis]) / 4) as Vec3;
    });
  }
  return line;
}

/** Cost of a cell of distance relative to a cell of depth: near and fairly deep beats deep and far. */
const AWAY = 0.35;

/** Options for {@link snapToMiddle}. */
export interface SnapOptions {
  /** Maximum distance in units of the grid; if the body is farther away, the nearest cell is used. */
  reach: number;
  /** Keeps the point in the plane x = planeX, or y = planeY. */
  planeX?: number | undefined;
  planeY?: number | undefined;
}

/** Moves a point to the middle of the nearest part of the body. */
export function snapToMiddle(
  { grid, depths }: BodyDepth,
  point: ArrayLike<number>,
  { reach, planeX, planeY }: SnapOptions,
): Vec3 {
  const { size } = grid;
  let best: number | undefined;
  let max = -Infinity;
  let nearest: number | undefined;
  let min = Infinity;
  const away = (cell: number) => {
    const center = cellCenter(grid, cell);
    const isOff =
      (planeX !== undefined && Math.abs(center[0] - planeX) > 0.75 * size) ||
      (planeY !== undefined && Math.abs(center[1] - planeY) > 0.75 * size);
    return isOff ? Infinity : distance(center, point);
  };
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const gap = away(cell);
    if (gap < min) [nearest, min] = [cell, gap];
    if (gap > reach) return;
    const score = depth - (AWAY * gap) / size;
    if (score > max) [best, max] = [cell, score];
  });
  const chosen = best ?? nearest;
  if (chosen === undefined) return [point[0], point[1], point[2]];
  const center = cellCenter(grid, chosen);
  return [planeX ?? center[0], planeY ?? center[1], center[2]];
}
