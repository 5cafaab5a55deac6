import { type Aabb, boundsOf, longestSide } from "../math/aabb.ts";
import {
  add,
  distance,
  dot,
  length,
  lerp,
  normalize,
  scale,
  subtract,
  type Vec3,
} from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import {
  bothSides,
  fingerPosition,
  type SkeletonTemplate,
  skeletonOfRows,
  type TemplateLimb,
  templateNamed,
} from "../skeleton/templates.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import { followHabits } from "./artist-habits.ts";
import { alongKnots, type BipedMarks, bipedMarks } from "./biped-marks.ts";
import { type BodyDepth, bodyDepth, cellCenter } from "./body-depth.ts";
import { middlePath, snapToMiddle } from "./body-middle.ts";
import { alongLine } from "./fit-by-roles.ts";
import { fitMannequin } from "./fit-mannequin.ts";
import { depthAt } from "./joint-doubts.ts";

/** Maximum distance a trunk joint is moved, in longest sides of the mesh. */
const TRUNK_REACH = 0.08;
/** Minimum distance between the ends of two limbs. */
const APART = 0.1;
/** Ratio of width to length from which a long body lies along x. */
const SIDEWAYS = 1.4;
const NOTHING = { parents: new Int32Array(0), positions: new Float32Array(0) };
const NO_JOINTS: Skeleton = { names: [], ...NOTHING };

/** Returns the depth field of a mesh, for fitting and snapping. */
export function meshDepth(mesh: Mesh): BodyDepth {
  return bodyDepth(buildGrid(mesh, NO_JOINTS));
}

/**
 * Fits the skeleton of a template into a mesh: y up, facing +z (a long body that is wider than long is assumed
 * to face +x).
 *
 * Trunk joints go to their relative position in the box, then to the middle of the body there; each limb
 * follows the body from the trunk to its farthest point, with joints at the template's relative distances.
 * Both sides are symmetric.
 *
 * @param name of a template, or the template
 * @param body of the same mesh; without it joints only go to their positions in the box
 * @param hasHabits whether joints go where artists put them (`followHabits`, `fitMannequin`), and into the body
 */
export function fitTemplate(
  mesh: Mesh,
  name: string | SkeletonTemplate,
  body?: BodyDepth,
  hasHabits = true,
): Skeleton {
  const template = typeof name === "string" ? templateNamed(name) : name;
  const box = boundsOf(mesh.positions);
  const marks = body && template.name === "biped" ? bipedMarks(body, box) : undefined;
  const toMesh = boxMap(box, template, marks);
  const { rows, limbs } = bothSides(template);
  const skeleton = skeletonOfRows(rows);
  const joints: Vec3[] = rows.map(([, , at]) => toMesh(at));
  if (body) {
    const fit = { body, joints, toMesh, box, skeleton, ends: new Map<string, Vec3>() };
    settleTrunk(fit, limbs, template);
    for (const limb of limbs) settleLimb(fit, limb);
    symmetrize(fit);
    if (template.name === "biped" && hasHabits) {
      followHabits("biped", joints, skeleton.names, box);
      keepInside(fit);
    }
    settleFingers(fit);
    symmetrize(fit);
    const isAlongZ = toMesh([1, 0, 0])[0] !== toMesh([-1, 0, 0])[0];
    if (template.name === "quadruped" && hasHabits && isAlongZ) followMannequin(fit, mesh);
    if (hasHabits) keepInside(fit);
  }
  skeleton.positions = Float32Array.from(joints.flat());
  return skeleton;
}

/** Moves the joints of a quadruped to where the mannequin has them, if it covers the body, and artists put them. */
function followMannequin(fit: Fit, mesh: Mesh): void {
  const found = fitMannequin(mesh, fit.skeleton);
  if (!found) return;
  fit.joints.forEach((_, j) => {
    fit.joints[j] = [found[j * 3], found[j * 3 + 1], found[j * 3 + 2]];
  });
  followHabits("quadruped", fit.joints, fit.skeleton.names, fit.box);
  layTrunk(fit);
  keepInside(fit);
  symmetrize(fit);
}

/** Range of the chest of a quadruped on the line from the hips to the neck. */
const CHEST = [0.6, 0.9];

/** Lays the spine of a quadruped on the line from hips to neck, the chest above the front legs. */
function layTrunk({ joints, skeleton }: Fit): void {
  const index = (name: string) => skeleton.names.indexOf(name);
  const [hips, neck, leg] = ["hips", "neck", "frontUpper.L"].map((name) => joints[index(name)]);
  const along = (leg[2] - hips[2]) / (neck[2] - hips[2] || 1);
  const t = Math.min(CHEST[1], Math.max(CHEST[0], along));
  joints[index("chest")] = lerp(hips, neck, t);
  joints[index("spine")] = lerp(hips, neck, t / 2);
}

interface Fit {
  body: BodyDepth;
  joints: Vec3[];
  toMesh: (at: Vec3) => Vec3;
  box: Aabb;
  skeleton: Skeleton;
  /** Ends of the limbs, by their last joint. */
  ends: Map<string, Vec3>;
}

/** Maps positions of a template to points of a box. */
function boxMap(
  { min, max }: Aabb,
  { isLong }: SkeletonTemplate,
  marks: BipedMarks | undefined,
): (at: Vec3) => Vec3 {
  const isSideways = isLong && max[0] - min[0] > SIDEWAYS * (max[2] - min[2]);
  return ([x, y, z]) => {
    const [across, along] = isSideways ? [z, -x] : [x, z];
    return [
      (min[0] + max[0]) / 2 + (across * (max[0] - min[0])) / 2,
      min[1] + (marks ? markedHeight(marks, y) : y) * (max[1] - min[1]),
      (min[2] + max[2]) / 2 + (along * (max[2] - min[2])) / 2,
    ];
  };
}

/** Heights of the template of a biped at the crotch and at the narrowest part of the neck. */
const CROTCH = 0.48;
const NECK = 0.83;

/** Maps a height of the template so that crotch and neck are where the body has them. */
function markedHeight({ crotch = CROTCH, neck = NECK }: BipedMarks, y: number): number {
  return alongKnots(
    [
      [0, 0],
      [CROTCH, crotch],
      [NECK, neck],
      [1, 1],
    ],
    y,
  );
}

/** Moves joints that are not part of a limb to the middle of the body. */
function settleTrunk(
  { body, joints, skeleton, box, toMesh }: Fit,
  limbs: TemplateLimb[],
  template: SkeletonTemplate,
): void {
  const onLimbs = new Set(limbs.flatMap((limb) => limbJoints(skeleton, limb)));
  const reach = TRUNK_REACH * longestSide(box);
  const isAcrossX = toMesh([1, 0, 0])[0] !== toMesh([-1, 0, 0])[0];
  // An upright trunk keeps its heights; snapping would pull the neck into the chest.
  const isUpright = template.name === "biped";
  joints.forEach((joint, j) => {
    if (onLimbs.has(j)) return;
    const planeX = isAcrossX ? joint[0] : undefined;
    const planeY = isUpright ? joint[1] : undefined;
    joints[j] = snapToMiddle(body, joint, { reach, planeX, planeY });
  });
}

function limbJoints({ names, parents }: Skeleton, { tip, root }: TemplateLimb): number[] {
  const found: number[] = [];
  const top = names.indexOf(root);
  for (let at = names.indexOf(tip); at >= 0 && at !== top; at = parents[at]) found.unshift(at);
  return found;
}

/** Places a limb along the path from its root to its end. */
function settleLimb(fit: Fit, limb: TemplateLimb): void {
  const { body, joints, toMesh, skeleton, box } = fit;
  const own = limbJoints(skeleton, limb);
  const root = joints[skeleton.names.indexOf(limb.root)];
  const end = farthestPoint(fit, limb);
  if (!end) return;
  fit.ends.set(limb.tip, end);
  // Relative distances as in the template.
  const usual = [
    toMesh(boxPosition(fit, limb.root)),
    ...own.map((j) => joints[j]),
    toMesh(limb.end),
  ];
  const lengths = usual.slice(1).map((p, i) => distance(p, usual[i]));
  const total = lengths.reduce((sum, length) => sum + length, 0) || longestSide(box);
  const line = middlePath(body, root, end);
  const isLeg = -limb.aim[1] > LEG_AIM * Math.hypot(limb.aim[0], limb.aim[2]);
  const [top, low] = [usual[0][1], usual[usual.length - 1][1]];
  let gone = 0;
  own.forEach((joint, i) => {
    gone += lengths[i];
    const height = (usual[i + 1][1] - low) / (top - low || 1);
    const level = isLeg && height > ANKLE ? end[1] + height * (root[1] - end[1]) : undefined;
    joints[joint] = (level !== undefined && atHeight(line, level)) || alongLine(line, gone / total);
  });
}

/** A limb that points down this much steeper than sideways is a leg, whose joints have heights. */
const LEG_AIM = 1.5;
/** Height of a joint in the leg below which the foot begins: there the length along the path counts. */
const ANKLE = 0.06;

/** The first point of a line, from above, at a height. */
function atHeight(line: readonly Vec3[], y: number): Vec3 | undefined {
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    if (a[1] >= y && b[1] <= y) return lerp(a, b, a[1] === b[1] ? 0 : (a[1] - y) / (a[1] - b[1]));
  }
  return undefined;
}

/** Moves joints outside the body, but fingers, to the middle of its nearest part, on both sides if that is inside. */
function keepInside(fit: Fit): void {
  const { body, joints, box, skeleton } = fit;
  const reach = TRUNK_REACH * longestSide(box);
  const { middle, axis, image } = mirrorOf(fit);
  const isOut = (at: Vec3) => depthAt(body, ...at) === 0;
  skeleton.names.forEach((name, j) => {
    if (FINGER.test(name) || !isOut(joints[j])) return;
    const side = /\.([LR])$/.exec(name)?.[1];
    // Joints in the middle stay there if they can, to half a cell.
    const planes = side || axis !== 0 ? [] : [0, 0.5, -0.5];
    const inPlane = planes
      .map((off) => snapToMiddle(body, joints[j], { reach, planeX: middle + off * body.grid.size }))
      .find((at) => !isOut(at));
    joints[j] = inPlane ?? snapToMiddle(body, joints[j], { reach });
    const other = image(joints[j]);
    if (!side || isOut(other)) return;
    joints[skeleton.names.indexOf(`${name.slice(0, -1)}${side === "L" ? "R" : "L"}`)] = other;
  });
}

const FINGER = /^(thumb|index|middle|ring|little)(\d)\.([LR])$/;
const FINGERS = ["thumb", "index", "middle", "ring", "little"];
/** Half the width of a hand relative to its length, at most. */
const HAND_WIDTH = 0.4;

/** Lays fingers as a fan between the wrist and the end of the arm, the thumb towards the front. */
function settleFingers({ body, joints, skeleton, toMesh, ends }: Fit): void {
  const front = subtract(toMesh([0, 0.5, 1]), toMesh([0, 0.5, -1]));
  skeleton.names.forEach((name, joint) => {
    const [, finger, segment, side] = FINGER.exec(name) ?? [];
    if (!finger) return;
    const hand = joints[skeleton.names.indexOf(`hand.${side}`)];
    const end = ends.get(`hand.${side}`);
    if (!end) return;
    const along = subtract(end, hand);
    const off = dot(front, along) / (dot(along, along) || 1);
    const across = normalize(subtract(front, scale(along, off)));
    const width = handWidth(body, lerp(hand, end, 0.35), across, HAND_WIDTH * length(along));
    const [t, u] = fingerPosition(FINGERS.indexOf(finger), Number(segment));
    const at = add(add(hand, scale(along, t)), scale(across, u * 0.75 * width));
    // Across the finger only, so that its joints keep their distances.
    const shift = subtract(snapToMiddle(body, at, { reach: 0.35 * width }), at);
    const back = dot(shift, along) / (dot(along, along) || 1);
    joints[joint] = add(at, subtract(shift, scale(along, back)));
  });
}

/** How far the body reaches from a point in both directions of an axis, on average. */
function handWidth({ grid, depths }: BodyDepth, palm: Vec3, across: Vec3, max: number): number {
  const step = grid.size / 2;
  let total = 0;
  for (const sign of [1, -1]) {
    for (let gone = step; gone <= max; gone += step) {
      const at = add(palm, scale(across, sign * gone));
      if (depths[cellAt(grid, at[0], at[1], at[2])] === 0) break;
      total += step;
    }
  }
  return Math.max(total / 2, grid.size);
}

function boxPosition({ skeleton, joints, box }: Fit, name: string): Vec3 {
  // Trunk joints have hardly moved: their position in the box follows from where they are.
  const at = joints[skeleton.names.indexOf(name)];
  const { min, max } = box;
  const half = (axis: 0 | 2) => (max[axis] - min[axis]) / 2 || 1;
  return [
    (at[0] - (min[0] + max[0]) / 2) / half(0),
    (at[1] - min[1]) / (max[1] - min[1] || 1),
    (at[2] - (min[2] + max[2]) / 2) / half(2),
  ];
}

/** The farthest point of the body in a limb's direction, on its side, away from the ends of other limbs. */
function farthestPoint({ body, box, ends, toMesh }: Fit, { aim, tip }: TemplateLimb) {
  const { grid, depths } = body;
  const far = longestSide(box) * APART;
  const center = toMesh([0, 0.5, 0]);
  const way = toMesh([aim[0], 0.5 + aim[1] / 2, aim[2]]).map((value, axis) => value - center[axis]);
  const side = toMesh([1, 0.5, 0]).map((value, axis) => value - center[axis]);
  const sign = tip.endsWith(".L") ? 1 : tip.endsWith(".R") ? -1 : 0;
  let best: Vec3 | undefined;
  let max = -Infinity;
  // In units of the box, so that the thickness of a flat body does not matter.
  const size = [0, 1, 2].map((axis) => (box.max[axis] - box.min[axis]) / 2 || 1);
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const point = cellCenter(grid, cell);
    const to = point.map((value, axis) => value - center[axis]);
    if (sign !== 0 && sign * (to[0] * side[0] + to[2] * side[2]) < 0) return;
    const score = to.reduce((sum, value, axis) => sum + (value * way[axis]) / size[axis] ** 2, 0);
    if (score + 1e-4 * depth <= max) return;
    if ([...ends.values()].some((end) => distance(end, point) < far)) return;
    [best, max] = [point, score + 1e-4 * depth];
  });
  return best;
}

function symmetrize(fit: Fit): void {
  const { names } = fit.skeleton;
  const { joints } = fit;
  const { image } = mirrorOf(fit);
  names.forEach((name, a) => {
    if (!name.endsWith(".L")) return;
    const b = names.indexOf(`${name.slice(0, -1)}R`);
    const other = image(joints[b]);
    joints[a] = joints[a].map((value, i) => (value + other[i]) / 2) as Vec3;
    joints[b] = image(joints[a]);
  });
}

/** The plane between left and right, and the mirror image of a point. */
function mirrorOf({ toMesh }: Fit) {
  const [center, left] = [toMesh([0, 0, 0]), toMesh([1, 0, 0])];
  const axis = left[0] !== center[0] ? 0 : 2;
  const middle = center[axis];
  const image = (p: Vec3): Vec3 =>
    p.map((value, i) => (i === axis ? 2 * middle - value : value)) as Vec3;
  return { middle, axis, image };
}
