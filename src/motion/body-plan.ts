import { add, cross, length, normalize, scale, subtract, type Vec3 } from "../math/vec3.ts";
import { jointsWithRole, type Role, type SkeletonRoles, skeletonRoles } from "../skeleton/roles.ts";
import { endOf, type Skeleton } from "../skeleton/skeleton.ts";
import type { Hinge, LimbEnd } from "./poser.ts";

/** A leg, ready to walk. */
export interface PlanLeg {
  side: Role["side"];
  /** Pair of legs, from the front. */
  limb: number;
  hinges: Hinge[];
  /** The ankle, or a point below the last joint of a leg without one. */
  end: LimbEnd;
  /** The joint of the foot, which may be attached to the root; undefined if there is none. */
  ankle: number | undefined;
  /** Rest position of the end. */
  foot: Vec3;
  /** Sum of the bone lengths from the first hinge to the end, and its height above the end. */
  reach: number;
  height: number;
}

/** An arm that may swing. */
export interface PlanArm {
  side: Role["side"];
  upper: number;
  lower: number | undefined;
  hand: number | undefined;
}

/** Directions, measures and limbs of a body for motions. */
export interface BodyPlan {
  skeleton: Skeleton;
  roles: SkeletonRoles;
  up: Vec3;
  left: Vec3;
  front: Vec3;
  /** Extent of the joints along `up`. */
  height: number;
  /** Where the lowest point of the mesh is, or of the skeleton if there is no mesh. */
  ground: number;
  /** The joint that carries the whole body, and the joints of the trunk in order. */
  root: number;
  spine: number[];
  neck: number[];
  head: number[];
  /** Tails, wings by side, and other chains, each in order. */
  tails: number[][];
  wings: { side: Role["side"]; joints: number[] }[];
  fins: { side: Role["side"]; joints: number[] }[];
  chains: number[][];
  legs: PlanLeg[];
  arms: PlanArm[];
}

/**
 * Finds the limbs and directions of a skeleton by its roles; y is up.
 *
 * @param mesh tells where the ground is, for legs without a foot joint
 */
export function bodyPlan(skeleton: Skeleton, mesh?: { positions: Float32Array }): BodyPlan {
  const roles = skeletonRoles(skeleton);
  const up: Vec3 = [0, 1, 0];
  const left = leftOf(skeleton, roles);
  const front = normalize(cross(left, up));
  const [low, high] = extentOf(skeleton.positions);
  const list = (part: Role["part"], side?: Role["side"], limb?: number) =>
    jointsWithRole(roles, part, side, limb);
  const groups = (part: Role["part"]) => {
    const found: { side: Role["side"]; joints: number[] }[] = [];
    for (const side of [1, -1, 0] as const) {
      const limbs = new Set(list(part, side).map((joint) => roles.roles[joint]!.limb));
      for (const limb of limbs) found.push({ side, joints: list(part, side, limb) });
    }
    return found;
  };
  const plan: BodyPlan = {
    skeleton,
    roles,
    up,
    left,
    front,
    height: high - low || 1,
    ground: Math.min(low, mesh ? extentOf(mesh.positions)[0] : low),
    root: -1,
    spine: list("spine"),
    neck: list("neck"),
    head: list("head"),
    tails: groups("tail").map(({ joints }) => joints),
    wings: groups("wing"),
    fins: groups("fin"),
    chains: groups("chain").map(({ joints }) => joints),
    legs: [],
    arms: [],
  };
  plan.legs = legsOf(plan);
  plan.arms = armsOf(plan);
  plan.root = rootOf(plan);
  return plan;
}

/** The least and the largest height of points. */
function extentOf(points: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < points.length; i += 3) {
    low = Math.min(low, points[i]);
    high = Math.max(high, points[i]);
  }
  return [low, high];
}

/** From the joints on the right to those on the left, without height; +x where there are none. */
function leftOf({ positions }: Skeleton, { roles }: SkeletonRoles): Vec3 {
  let sum: Vec3 = [0, 0, 0];
  roles.forEach((role, joint) => {
    if (!role || role.side === 0) return;
    const [x, , z] = positions.subarray(joint * 3, joint * 3 + 3);
    sum = add(sum, [role.side * x, 0, role.side * z]);
  });
  return length(sum) > 1e-6 ? normalize(sum) : [1, 0, 0];
}

/** The joint above which everything moves: the common ancestor of the legs and the spine. */
function rootOf({ skeleton, roles, legs, spine }: BodyPlan): number {
  const { parents } = skeleton;
  const pathOf = (joint: number): number[] => {
    const path: number[] = [];
    for (let at = joint; at >= 0; at = parents[at]) path.unshift(at);
    return path;
  };
  const hips = jointsWithRole(roles, "hips");
  const carried = [...hips, ...spine, ...legs.map(({ hinges }) => hinges[0].joint)];
  if (carried.length === 0) return [...parents.keys()].find((joint) => parents[joint] < 0) ?? 0;
  const common = carried.map(pathOf).reduce((a, b) => {
    let i = 0;
    while (i < a.length && i < b.length && a[i] === b[i]) i++;
    return a.slice(0, i);
  });
  const found = common.at(-1);
  if (found === undefined) return carried[0];
  // A leg or spine joint that carries the rest is the root itself.
  return found;
}

const pointOf = ({ positions }: Skeleton, joint: number): Vec3 => [
  positions[joint * 3],
  positions[joint * 3 + 1],
  positions[joint * 3 + 2],
];

/** Rest bends below this many radians count as straight. */
const STRAIGHT = 0.08;

function legsOf(plan: BodyPlan): PlanLeg[] {
  const { skeleton, roles, up, front } = plan;
  const legs: PlanLeg[] = [];
  const pairs =
    1 + Math.max(-1, ...roles.roles.map((role) => (role?.part === "upperLeg" ? role.limb : -1)));
  for (let limb = 0; limb < pairs; limb++) {
    for (const side of [1, -1, 0] as const) {
      const own = (["upperLeg", "lowerLeg", "foot"] as const).flatMap((part) =>
        jointsWithRole(roles, part, side, limb),
      );
      const path = connected(skeleton, own);
      if (path.length < 2) continue;
      const ankle = own.find((joint) => roles.roles[joint]!.part === "foot");
      // The ankle carries the foot; one that is attached to the root follows the leg.
      const isAttached = ankle !== undefined && path.includes(ankle);
      const upper = isAttached ? path.slice(0, path.indexOf(ankle)) : path;
      if (upper.length === 0) continue;
      const last = upper.at(-1)!;
      const foot = ankle !== undefined ? pointOf(skeleton, ankle) : groundBelow(plan, last);
      const points = [...upper.map((joint) => pointOf(skeleton, joint)), foot];
      const reach = points.slice(1).reduce((sum, p, i) => sum + length(subtract(p, points[i])), 0);
      const isFront = pairs === 2 && limb === 0;
      const axis = hingeAxis(plan, points, pairs);
      legs.push({
        side,
        limb,
        hinges: hingesOf(upper, points, { axis, isFront, up, front, swings: pairs > 2 }),
        end: isAttached
          ? { joint: ankle, offset: [0, 0, 0] }
          : { joint: last, offset: subtract(foot, pointOf(skeleton, last)) },
        ankle,
        foot,
        reach,
        height: points[0][1] - foot[1],
      });
    }
  }
  return legs;
}

/** The end of a leg without a foot joint: that of its last bone if it is known, else the ground below it. */
function groundBelow({ skeleton, ground }: BodyPlan, joint: number): Vec3 {
  const end = endOf(skeleton, joint);
  if (end) return [end[0], end[1], end[2]];
  const [x, , z] = pointOf(skeleton, joint);
  return [x, ground, z];
}

/** The longest run of joints in which each is an ancestor of the next. */
function connected({ parents }: Skeleton, joints: number[]): number[] {
  const isBelow = (joint: number, other: number) => {
    for (let at = parents[joint]; at >= 0; at = parents[at]) if (at === other) return true;
    return false;
  };
  const found: number[] = [];
  for (const joint of joints) {
    if (found.length === 0 || isBelow(joint, found.at(-1)!)) found.push(joint);
  }
  return found;
}

/** Legs under the body bend about the left axis; legs that stick out bend about a horizontal axis across them. */
function hingeAxis({ up, left }: BodyPlan, points: Vec3[], pairs: number): Vec3 {
  if (pairs <= 2) return left;
  const out = subtract(points.at(-1)!, points[0]);
  const across = cross([out[0], 0, out[2]], up);
  return length(across) > 1e-6 ? normalize(across) : left;
}

/** How far a leg under the body may move sideways at the hip, in radians. */
const SIDEWAYS = 0.35;

interface LegFrame {
  /** About which the leg bends. */
  axis: Vec3;
  isFront: boolean;
  up: Vec3;
  front: Vec3;
  /** Whether legs stick out and swing about `up`. */
  swings: boolean;
}

function hingesOf(
  joints: number[],
  points: Vec3[],
  { axis, isFront, up, front, swings: swing }: LegFrame,
): Hinge[] {
  const hinges: Hinge[] = [];
  joints.forEach((joint, i) => {
    if (i === 0) {
      if (swing) hinges.push({ joint, axis: up, start: 0, min: -1.2, max: 1.2 });
      // The hips sway; feet stay.
      else if (joints.length > 1)
        hinges.push({ joint, axis: front, start: 0, min: -SIDEWAYS, max: SIDEWAYS });
      hinges.push({ joint, axis, start: swing ? 0 : isFront ? 0.1 : -0.1, min: -1.9, max: 1.9 });
      return;
    }
    const rest = bendAt(points, i, axis);
    // Knees bend backwards, elbows forwards; a visible bend says which.
    const sign = Math.abs(rest) > STRAIGHT ? Math.sign(rest) : isFront ? -1 : 1;
    const [near, far] = [-Math.abs(rest) * 0.98, 2.4];
    const [min, max] = sign > 0 ? [near, far] : [-far, -near];
    hinges.push({ joint, axis, start: swing ? 0 : 0.2 * sign, min, max });
  });
  return hinges;
}

/** Signed angle between the bones before and after a joint, about an axis. */
function bendAt(points: Vec3[], i: number, axis: Vec3): number {
  const [a, b] = [subtract(points[i], points[i - 1]), subtract(points[i + 1], points[i])];
  const flat = (v: Vec3): Vec3 =>
    subtract(v, scale(axis, v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2]));
  const [u, v] = [flat(a), flat(b)];
  const n = cross(u, v);
  const sine = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2];
  return Math.atan2(sine, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
}

function armsOf({ roles, skeleton }: BodyPlan): PlanArm[] {
  return ([1, -1] as const).flatMap((side) => {
    const path = connected(
      skeleton,
      (["upperArm", "lowerArm", "hand"] as const).flatMap((part) =>
        jointsWithRole(roles, part, side, 0),
      ),
    );
    const of = (part: Role["part"]) => path.find((joint) => roles.roles[joint]!.part === part);
    const upper = of("upperArm");
    if (upper === undefined) return [];
    return [{ side, upper, lower: of("lowerArm"), hand: of("hand") }];
  });
}
