import { forwardKinematics, type Skeleton } from "../../src/index.ts";
import { childrenOf } from "../../src/parts.ts";

/** Duration per joint in seconds. */
const PER_JOINT = 2;
/** Maximum rotation of a joint each way, in radians. */
const RANGE = Math.PI / 4;

/** Joints to rotate, in order from the root: those with descendants or with a good part of the body. */
export function stressedJoints(skeleton: Skeleton): number[] {
  const children = childrenOf(skeleton);
  const order: number[] = [];
  const open = [...skeleton.parents.keys()].filter((joint) => skeleton.parents[joint] < 0);
  for (let joint = open.shift(); joint !== undefined; joint = open.shift()) {
    order.push(joint);
    open.unshift(...children[joint]);
  }
  const moving = order.filter((joint) => skeleton.parents[joint] >= 0);
  return moving.length > 0 ? moving : order;
}

/** Duration in seconds of a motion that rotates each joint through its range. */
export function stressSeconds(skeleton: Skeleton): number {
  return stressedJoints(skeleton).length * PER_JOINT;
}

/** The joint that rotates at a time of the motion. */
export function stressedJoint(skeleton: Skeleton, seconds: number): number {
  const joints = stressedJoints(skeleton);
  return joints[Math.min(joints.length - 1, Math.floor(seconds / PER_JOINT))] ?? 0;
}

/**
 * Pose of the motion at a time: one joint after the other swings about the axes across its bone.
 *
 * @returns J×16 from the bind pose
 */
export function stressPose(skeleton: Skeleton, seconds: number): Float32Array {
  const joints = stressedJoints(skeleton);
  const rotations = Float32Array.from({ length: skeleton.names.length * 4 }, (_, i) =>
    i % 4 === 3 ? 1 : 0,
  );
  const at = Math.min(joints.length - 1, Math.floor(seconds / PER_JOINT));
  const share = seconds / PER_JOINT - at;
  const [axisA, axisB] = axesAcross(skeleton, joints[at]);
  const axis = share < 0.5 ? axisA : axisB;
  const angle = RANGE * Math.sin(4 * Math.PI * share);
  const sine = Math.sin(angle / 2);
  rotations.set([...axis.map((value) => value * sine), Math.cos(angle / 2)], joints[at] * 4);
  return forwardKinematics(skeleton, rotations);
}

/** Two directions perpendicular to the bone of a joint. */
function axesAcross(skeleton: Skeleton, joint: number): [number[], number[]] {
  const { positions, parents } = skeleton;
  const child = parents.indexOf(joint);
  const [from, to] = child >= 0 ? [joint, child] : [Math.max(0, parents[joint]), joint];
  const bone = [0, 1, 2].map((axis) => positions[to * 3 + axis] - positions[from * 3 + axis]);
  const side = Math.abs(bone[2]) < 0.8 * Math.hypot(...bone) ? [0, 0, 1] : [1, 0, 0];
  const first = unit(cross(bone, side));
  return [first, unit(cross(bone, first))];
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v: number[]): number[] {
  const size = Math.hypot(...v);
  return size > 0 ? v.map((value) => value / size) : [0, 0, 1];
}
