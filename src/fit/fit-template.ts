import { type Aabb, boundsOf, longestSide } from "../math/aabb.ts";
import { MinHeap } from "../math/min-heap.ts";
import { distance, lerp, type Vec3 } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import {
  bothSides,
  type SkeletonTemplate,
  skeletonOfRows,
  type TemplateLimb,
  templateNamed,
} from "../skeleton/templates.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { cellAt, faceNeighbors } from "../voxel/voxel-grid.ts";
import { type BodyDepth, bodyDepth, cellCenter } from "./body-depth.ts";

/** In longest sides of the mesh: how far a joint of the trunk may be moved into the middle. */
const TRUNK_REACH = 0.08;
/** Ends of two limbs are farther apart than this. */
const APART = 0.1;
/** A body so many times as wide as it is long lies along x. */
const TURNED = 1.4;

const NO_JOINTS: Skeleton = {
  names: [],
  parents: new Int32Array(0),
  positions: new Float32Array(0),
};

/** The middle of a mesh, for fitting and snapping. */
export function meshDepth(mesh: Mesh): BodyDepth {
  return bodyDepth(buildGrid(mesh, NO_JOINTS));
}

/**
 * Puts the skeleton of a template into a mesh: y up, looking along +z (a long body that is wider than
 * long is taken to look along +x).
 *
 * The trunk goes to its usual share of the box, and into the middle of the body there; each limb
 * follows the body from the trunk to its farthest point, its joints at their usual shares of the way.
 * Both sides are alike.
 *
 * @param body of the same mesh; without it joints go to their places in the box only
 */
export function fitTemplate(mesh: Mesh, name: string, body?: BodyDepth): Skeleton {
  const template = templateNamed(name);
  const box = boundsOf(mesh.positions);
  const place = placer(box, template);
  const { rows, limbs } = bothSides(template);
  const skeleton = skeletonOfRows(rows);
  const joints: Vec3[] = rows.map(([, , at]) => place(at));
  if (body) {
    const fit = { body, joints, place, box, skeleton, ends: [] as Vec3[] };
    settleTrunk(fit, limbs);
    for (const limb of limbs) settleLimb(fit, limb);
    evenSides(fit);
  }
  skeleton.positions = Float32Array.from(joints.flat());
  return skeleton;
}

interface Fit {
  body: BodyDepth;
  joints: Vec3[];
  place: (at: Vec3) => Vec3;
  box: Aabb;
  skeleton: Skeleton;
  /** Where limbs end that were placed already. */
  ends: Vec3[];
}

/** From places of a template to points of a box. */
function placer({ min, max }: Aabb, { isLong }: SkeletonTemplate): (at: Vec3) => Vec3 {
  const isTurned = isLong && max[0] - min[0] > TURNED * (max[2] - min[2]);
  return ([x, y, z]) => {
    const [across, along] = isTurned ? [z, -x] : [x, z];
    return [
      (min[0] + max[0]) / 2 + (across * (max[0] - min[0])) / 2,
      min[1] + y * (max[1] - min[1]),
      (min[2] + max[2]) / 2 + (along * (max[2] - min[2])) / 2,
    ];
  };
}

/** Joints of no limb go into the middle of the body. */
function settleTrunk({ body, joints, skeleton, box, place }: Fit, limbs: TemplateLimb[]): void {
  const onLimbs = new Set(limbs.flatMap((limb) => limbJoints(skeleton, limb)));
  const reach = TRUNK_REACH * longestSide(box);
  const [left, right] = [place([1, 0, 0]), place([-1, 0, 0])];
  const isAcrossX = left[0] !== right[0];
  joints.forEach((joint, j) => {
    if (onLimbs.has(j)) return;
    const planeX = isAcrossX ? joint[0] : undefined;
    joints[j] = snapToMiddle(body, joint, { reach, planeX });
  });
}

function limbJoints({ names, parents }: Skeleton, { tip, root }: TemplateLimb): number[] {
  const found: number[] = [];
  const top = names.indexOf(root);
  for (let at = names.indexOf(tip); at >= 0 && at !== top; at = parents[at]) found.unshift(at);
  return found;
}

/** Lays a limb along the way from its root to the end of the body it aims at. */
function settleLimb(fit: Fit, limb: TemplateLimb): void {
  const { body, joints, place, skeleton, box } = fit;
  const own = limbJoints(skeleton, limb);
  const root = joints[skeleton.names.indexOf(limb.root)];
  const end = farthestPoint(fit, limb);
  if (!end) return;
  fit.ends.push(end);
  // Shares of the way as the template has them.
  const usual = [place(rowPlace(fit, limb.root)), ...own.map((j) => joints[j]), place(limb.end)];
  const lengths = usual.slice(1).map((p, i) => distance(p, usual[i]));
  const whole = lengths.reduce((sum, length) => sum + length, 0) || longestSide(box);
  const line = middlePath(body, root, end);
  let gone = 0;
  own.forEach((joint, i) => {
    gone += lengths[i];
    joints[joint] = pointAlong(line, gone / whole);
  });
}

function rowPlace({ skeleton, joints, box }: Fit, name: string): Vec3 {
  // Joints of the trunk have hardly moved: their places in the box are taken from where they are.
  const at = joints[skeleton.names.indexOf(name)];
  const { min, max } = box;
  const half = (axis: 0 | 2) => (max[axis] - min[axis]) / 2 || 1;
  return [
    (at[0] - (min[0] + max[0]) / 2) / half(0),
    (at[1] - min[1]) / (max[1] - min[1] || 1),
    (at[2] - (min[2] + max[2]) / 2) / half(2),
  ];
}

/** The point of the body farthest in a limb's way, on its side, not where another limb ends. */
function farthestPoint(
  { body, box, ends, place }: Fit,
  { aim, tip }: TemplateLimb,
): Vec3 | undefined {
  const { grid, depths } = body;
  const far = longestSide(box) * APART;
  const center = place([0, 0.5, 0]);
  const way = place([aim[0], 0.5 + aim[1] / 2, aim[2]]).map((value, axis) => value - center[axis]);
  const side = place([1, 0.5, 0]).map((value, axis) => value - center[axis]);
  const sign = tip.endsWith(".L") ? 1 : tip.endsWith(".R") ? -1 : 0;
  let best: Vec3 | undefined;
  let most = -Infinity;
  // In the units of the box, so that a flat body's thickness does not decide.
  const size = [0, 1, 2].map((axis) => (box.max[axis] - box.min[axis]) / 2 || 1);
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const point = cellCenter(grid, cell);
    const to = point.map((value, axis) => value - center[axis]);
    if (sign !== 0 && sign * (to[0] * side[0] + to[2] * side[2]) < 0) return;
    const worth = to.reduce((sum, value, axis) => sum + (value * way[axis]) / size[axis] ** 2, 0);
    if (worth + 1e-4 * depth <= most) return;
    if (ends.some((end) => distance(end, point) < far)) return;
    [best, most] = [point, worth + 1e-4 * depth];
  });
  return best;
}

/** Makes the two sides alike: the mean of each pair, mirrored at the middle of the box. */
function evenSides({ skeleton, joints, place }: Fit): void {
  const { names } = skeleton;
  const [middle, left] = [place([0, 0, 0]), place([1, 0, 0])];
  const axis = left[0] !== middle[0] ? 0 : 2;
  const image = (p: Vec3): Vec3 => {
    const out: Vec3 = [...p];
    out[axis] = 2 * middle[axis] - out[axis];
    return out;
  };
  names.forEach((name, a) => {
    if (!name.endsWith(".L")) return;
    const b = names.indexOf(`${name.slice(0, -1)}R`);
    const other = image(joints[b]);
    joints[a] = joints[a].map((value, i) => (value + other[i]) / 2) as Vec3;
    joints[b] = image(joints[a]);
  });
}

/**
 * A way through the body from one point to another that keeps to the middle of it.
 *
 * @returns points from `from` to `to`, smoothed; the straight line where no way is inside the body
 */
function middlePath(body: BodyDepth, from: ArrayLike<number>, to: ArrayLike<number>): Vec3[] {
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
    for (const next of faceNeighbors(grid, cell)) {
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
function pointAlong(line: readonly Vec3[], share: number): Vec3 {
  const lengths = line.slice(1).map((p, i) => distance(p, line[i]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i] && lengths[i] > 0) return lerp(line[i], line[i + 1], left / lengths[i]);
    left -= lengths[i];
  }
  return line[line.length - 1];
}

/** What a cell of distance costs beside a cell of depth: near and fairly deep beats deep and far. */
const AWAY = 0.35;

/** Options for {@link snapToMiddle}. */
export interface SnapOptions {
  /** How far the point may move, in the units of the grid; where the body is farther, to its nearest cell. */
  reach: number;
  /** Stay in the plane x = this. */
  planeX?: number | undefined;
}

/** Moves a point into the middle of the part of the body it is in, or near. */
export function snapToMiddle(
  { grid, depths }: BodyDepth,
  point: ArrayLike<number>,
  { reach, planeX }: SnapOptions,
): Vec3 {
  const { size } = grid;
  let best: number | undefined;
  let most = -Infinity;
  let nearest: number | undefined;
  let least = Infinity;
  const away = (cell: number) => {
    const center = cellCenter(grid, cell);
    const isOff = planeX !== undefined && Math.abs(center[0] - planeX) > 0.75 * size;
    return isOff ? Infinity : distance(center, point);
  };
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const way = away(cell);
    if (way < least) [nearest, least] = [cell, way];
    if (way > reach) return;
    const worth = depth - (AWAY * way) / size;
    if (worth > most) [best, most] = [cell, worth];
  });
  const chosen = best ?? nearest;
  if (chosen === undefined) return [point[0], point[1], point[2]];
  const center = cellCenter(grid, chosen);
  return planeX === undefined ? center : [planeX, center[1], center[2]];
}
