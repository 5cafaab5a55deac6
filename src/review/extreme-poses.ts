import { quaternionFromAxisAngle } from "../math/quaternion.ts";
import { cross, length, normalize, subtract, type Vec3 } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { depthsAndSizes, jointCount, parentsFirst, type Skeleton } from "../skeleton/skeleton.ts";
import { TEST_DEGREES } from "../weights/deform.ts";
import { type SkinWeights, weightPerJoint } from "../weights/skin-weights.ts";

const POSES = 8;
/** Maximum number of joints that rotate in a pose. */
const POSED_JOINTS = 6;

/** An extreme pose of a character's own joints. */
export interface ExtremePose {
  /** The joints that rotate, by {@link TEST_DEGREES} each. */
  joints: number[];
  /** J×4 quaternions for `forwardKinematics`. */
  rotations: Float32Array;
}

/** A fault that a pose should show: the joint that shows it, and a vertex that moves too far. */
export interface ShownFault {
  joint: number;
  severity: number;
  vertex: number | undefined;
}

/** Chooses up to eight poses: joints with faults first, then those that move the most surface. */
export function choosePoses(
  mesh: Mesh,
  skeleton: Skeleton,
  weights: SkinWeights,
  shown: readonly ShownFault[],
): ExtremePose[] {
  const J = jointCount(skeleton);
  const own = weightPerJoint(weights, J);
  const total = own.reduce((sum, weight) => sum + weight, 0);
  const below = own.slice();
  const order = [...Array(J).keys()];
  const { depth, size } = depthsAndSizes(skeleton);
  const downwards = parentsFirst(skeleton);
  for (const joint of downwards.toReversed()) {
    const parent = skeleton.parents[joint];
    if (parent >= 0) below[parent] += below[joint];
  }
  const severity = new Float64Array(J);
  for (const fault of shown) severity[fault.joint] += fault.severity;
  // Rotating a joint above all of the surface moves the character as a whole.
  const movable = order.filter((joint) => below[joint] > 0 && below[joint] < 0.999 * total);
  const isMovable = new Set(movable);
  for (const { joint } of shown) if (!isMovable.has(joint)) movable.push(joint);
  movable.sort(
    (a, b) =>
      severity[b] - severity[a] ||
      Math.min(below[b], total / 4) - Math.min(below[a], total / 4) ||
      depth[a] - depth[b] ||
      a - b,
  );
  // Numbered so that the joints below one follow it: chains may have thousands.
  const first = new Int32Array(J);
  const next = new Int32Array(J);
  let roots = 0;
  for (const joint of downwards) {
    const parent = skeleton.parents[joint];
    first[joint] = parent >= 0 ? next[parent] : roots;
    if (parent >= 0) next[parent] += size[joint];
    else roots += size[joint];
    next[joint] = first[joint] + 1;
  }
  const isAbove = (a: number, b: number) => first[a] <= first[b] && first[b] < first[a] + size[a];
  const poses: number[][] = [];
  for (const joint of movable) {
    const fits = poses.find(
      (joints) =>
        joints.length < POSED_JOINTS &&
        joints.every((other) => !isAbove(other, joint) && !isAbove(joint, other)),
    );
    if (fits) fits.push(joint);
    else if (poses.length < POSES) poses.push([joint]);
  }
  return poses.map((joints, index) => {
    const rotations = new Float32Array(J * 4);
    for (let joint = 0; joint < J; joint++) rotations[joint * 4 + 3] = 1;
    for (const joint of joints) {
      const fault = shown.find((each) => each.joint === joint && each.vertex !== undefined);
      const axis = bendAxis(mesh, skeleton, joint, fault?.vertex, index);
      const radians = (TEST_DEGREES * Math.PI) / 180;
      rotations.set(quaternionFromAxisAngle(axis, radians), joint * 4);
    }
    return { joints, rotations };
  });
}

/** An axis perpendicular to the limb, or to the direction of the vertex that moves too far. */
function bendAxis(
  mesh: Mesh,
  skeleton: Skeleton,
  joint: number,
  vertex: number | undefined,
  index: number,
): Vec3 {
  const head = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
  const child = skeleton.parents.indexOf(joint);
  const tip =
    vertex !== undefined
      ? mesh.positions.subarray(vertex * 3, vertex * 3 + 3)
      : child >= 0
        ? skeleton.positions.subarray(child * 3, child * 3 + 3)
        : [head[0], head[1] + 1, head[2]];
  const along = subtract(tip, head);
  // Every other pose bends sideways instead of forwards.
  const helper: Vec3 = index % 2 === 0 ? [1, 0, 0] : [0, 0, 1];
  const axis = cross(along, cross(helper, along));
  if (length(axis) > 1e-9) return normalize(axis);
  return index % 2 === 0 ? [0, 0, 1] : [1, 0, 0];
}
