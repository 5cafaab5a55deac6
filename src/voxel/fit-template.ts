import { type Aabb, boundsOf, longestSide } from "../math/aabb.ts";
import { distance, type Vec3 } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { templateNamed } from "../skeleton/templates/index.ts";
import {
  bothSides,
  type SkeletonTemplate,
  skeletonOfRows,
  type TemplateLimb,
} from "../skeleton/templates/template.ts";
import { type BodyDepth, bodyDepth, cellCentre } from "./body-depth.ts";
import { buildGrid } from "./build-grid.ts";
import { middlePath, pointAlong } from "./middle-path.ts";
import { snapToMiddle } from "./snap-to-middle.ts";

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
  const centre = place([0, 0.5, 0]);
  const way = place([aim[0], 0.5 + aim[1] / 2, aim[2]]).map((value, axis) => value - centre[axis]);
  const side = place([1, 0.5, 0]).map((value, axis) => value - centre[axis]);
  const sign = tip.endsWith(".L") ? 1 : tip.endsWith(".R") ? -1 : 0;
  let best: Vec3 | undefined;
  let most = -Infinity;
  // In the units of the box, so that a flat body's thickness does not decide.
  const size = [0, 1, 2].map((axis) => (box.max[axis] - box.min[axis]) / 2 || 1);
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const point = cellCentre(grid, cell);
    const to = point.map((value, axis) => value - centre[axis]);
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
