import {
  multiplyQuaternions,
  type Quaternion,
  rotateVector,
  rotationBetween,
} from "../math/quaternion.ts";
import { add, distance, lerp, scale, subtract, type Vec3 } from "../math/vec3.ts";
import type { Role, RolePart, SkeletonRoles } from "../skeleton/roles.ts";
import { childrenOf, parentsFirst, type Skeleton } from "../skeleton/skeleton.ts";

/** A skeleton with the roles of its joints. */
export interface RoledSkeleton {
  skeleton: Skeleton;
  roles: SkeletonRoles;
}

/**
 * Lays a skeleton on another that is already in place, by the roles of their joints: a chain with another
 * number of joints is spread along the same line, and joints without a role go with their neighbors.
 *
 * @returns J×3; undefined if fewer than three roles agree
 */
export function layByRoles(source: RoledSkeleton, placed: RoledSkeleton): Float32Array | undefined {
  const anchors = new Map<number, Vec3>();
  source.roles.roles.forEach((role, joint) => {
    const at = role && positionOf(role, placed);
    if (at) anchors.set(joint, at);
  });
  return anchors.size < 3 ? undefined : carryAlong(source.skeleton, anchors);
}

/** The part to which a chain leads, where a body has both. */
const NEXT: Partial<Record<RolePart, RolePart>> = {
  hips: "spine",
  spine: "neck",
  neck: "head",
  shoulder: "upperArm",
  upperArm: "lowerArm",
  lowerArm: "hand",
  upperLeg: "lowerLeg",
  lowerLeg: "foot",
  foot: "toe",
};

/** Where a role is on the placed skeleton: at its joint, or at the same fraction of its chain. */
function positionOf(role: Role, placed: RoledSkeleton): Vec3 | undefined {
  const of = (part: RolePart) => chainOf(placed, part, role.side, role.limb);
  const own = of(role.part);
  if (own.length === 0) return undefined;
  if (own.length === role.count) return own[role.index];
  const next = NEXT[role.part];
  const line = [...own, ...(next ? of(next).slice(0, 1) : [])];
  if (line.length === 1) return role.index === 0 ? line[0] : undefined;
  return alongLine(line, role.index / (next ? role.count : Math.max(1, role.count - 1)));
}

function chainOf(
  { skeleton, roles }: RoledSkeleton,
  part: RolePart,
  side: number,
  limb: number,
): Vec3[] {
  return [...roles.roles.keys()]
    .filter((joint) => {
      const role = roles.roles[joint];
      return role?.part === part && role.side === side && role.limb === limb;
    })
    .sort((a, b) => roles.roles[a]!.index - roles.roles[b]!.index)
    .map((joint) => pointOf(skeleton, joint));
}

const pointOf = ({ positions }: Skeleton, joint: number): Vec3 => [
  positions[joint * 3],
  positions[joint * 3 + 1],
  positions[joint * 3 + 2],
];

/** The point at a fraction 0..1 of the length of a line. */
export function alongLine(line: readonly Vec3[], fraction: number): Vec3 {
  const lengths = line.slice(1).map((p, i) => distance(p, line[i]));
  let left = fraction * lengths.reduce((sum, length) => sum + length, 0);
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i] && lengths[i] > 0) return lerp(line[i], line[i + 1], left / lengths[i]);
    left -= lengths[i];
  }
  return line[line.length - 1];
}

interface Frame {
  from: Vec3;
  to: Vec3;
  turn: Quaternion;
  size: number;
}

/**
 * Moves the joints between and below given ones in proportion: by the rotation and scale of the bone that
 * they belong to.
 */
export function carryAlong(skeleton: Skeleton, anchors: ReadonlyMap<number, Vec3>): Float32Array {
  const children = childrenOf(skeleton);
  const positions = skeleton.positions.slice();
  const frames: (Frame | undefined)[] = new Array(positions.length / 3).fill(undefined);
  /** The first given joint below, not counting the joint itself. */
  const below = (joint: number): number | undefined => {
    let level = children[joint];
    while (level.length > 0) {
      const found = level.find((child) => anchors.has(child));
      if (found !== undefined) return found;
      level = level.flatMap((child) => children[child]);
    }
    return undefined;
  };
  const whole = wholeFrame(skeleton, anchors);
  for (const joint of parentsFirst(skeleton)) {
    const above = frames[skeleton.parents[joint]] ?? whole;
    const anchor = anchors.get(joint);
    if (!anchor) {
      frames[joint] = above;
      positions.set(applyFrame(above, pointOf(skeleton, joint)), joint * 3);
      continue;
    }
    positions.set(anchor, joint * 3);
    const end = below(joint);
    const from = pointOf(skeleton, joint);
    frames[joint] =
      end === undefined
        ? { ...above, from, to: anchor }
        : boneFrame(above, from, anchor, pointOf(skeleton, end), anchors.get(end)!);
  }
  return positions;
}

function boneFrame(above: Frame, from: Vec3, to: Vec3, endFrom: Vec3, endTo: Vec3): Frame {
  const [old, now] = [subtract(endFrom, from), subtract(endTo, to)];
  const length = Math.hypot(...old);
  if (!(length > 1e-9)) return { ...above, from, to };
  // On top of the turn so far, so that the roll follows the parent.
  const turned = rotateVector(above.turn, old);
  const turn = multiplyQuaternions(rotationBetween(turned, now), above.turn);
  return { from, to, turn, size: Math.hypot(...now) / length };
}

function applyFrame({ from, to, turn, size }: Frame, point: Vec3): Vec3 {
  return add(to, scale(rotateVector(turn, subtract(point, from)), size));
}

/** Scale and translation of all given joints together. */
function wholeFrame(skeleton: Skeleton, anchors: ReadonlyMap<number, Vec3>): Frame {
  const list = [...anchors];
  const center = (points: Vec3[]): Vec3 =>
    scale(
      points.reduce((sum, p) => add(sum, p), [0, 0, 0] as Vec3),
      1 / points.length,
    );
  const old = list.map(([joint]) => pointOf(skeleton, joint));
  const now = list.map(([, at]) => at);
  const [from, to] = [center(old), center(now)];
  const spread = (points: Vec3[], middle: Vec3) =>
    Math.sqrt(points.reduce((sum, p) => sum + distance(p, middle) ** 2, 0));
  return { from, to, turn: [0, 0, 0, 1], size: spread(now, to) / (spread(old, from) || 1) };
}
