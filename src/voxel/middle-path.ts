import { MinHeap } from "../math/min-heap.ts";
import { distance, lerp, type Vec3 } from "../math/vec3.ts";
import { type BodyDepth, cellCentre } from "./body-depth.ts";
import { cellAt, faceNeighbours } from "./voxel-grid.ts";

/**
 * A way through the body from one point to another that keeps to the middle of it.
 *
 * @returns points from `from` to `to`, smoothed; the straight line where no way is inside the body
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
  const points = cells.reverse().map((cell) => cellCentre(grid, cell));
  return smoothed([ends[0], ...points.slice(0, -1), ends[1]]);
}

/** Dijkstra's search; a step costs the more the nearer it is to the wall. */
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
    for (const next of faceNeighbours(grid, cell)) {
      if (depths[next] === 0) continue;
      const cost = best[cell] + 1 / (depths[next] + 0.5) ** 1.5;
      if (cost >= best[next]) continue;
      best[next] = cost;
      came[next] = cell;
      open.push(cost, next);
    }
  }
  return undefined;
}

/** Rounds the corners that steps over faces make. */
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

/** The point at a share 0..1 of the length of a line. */
export function pointAlong(line: readonly Vec3[], share: number): Vec3 {
  const lengths = line.slice(1).map((p, i) => distance(p, line[i]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i] && lengths[i] > 0) return lerp(line[i], line[i + 1], left / lengths[i]);
    left -= lengths[i];
  }
  return line[line.length - 1];
}
