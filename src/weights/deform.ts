import { boundsOf } from "../math/aabb.ts";
import { multiplyQuaternions, quaternionFromMat4 } from "../math/quaternion.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { type SkinWeights, type WeightRow, weightIn } from "./skin-weights.ts";

/**
 * Deforms vertices by the weighted mean of their joints' matrices (linear blend skinning).
 *
 * A vertex without any weight does not move.
 *
 * @param positions V×3, bind pose
 * @param matrices J×16 from bind pose to pose, column-major, as returned by `forwardKinematics`
 * @returns V×3
 *
 * @example
 * const rotations = Float32Array.from({ length: character.skeleton.names.length * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0));
 * const matrices = forwardKinematics(character.skeleton, rotations);
 * console.log(linearBlend(character.mesh.positions, weights, matrices)); // V×3
 */
export function linearBlend(
  positions: Float32Array,
  weights: SkinWeights,
  matrices: Float32Array,
): Float32Array {
  const { influences, joints, weights: values } = weights;
  const posed = new Float32Array(positions.length);
  for (let vertex = 0; vertex * 3 < positions.length; vertex++) {
    const at = vertex * 3;
    const [px, py, pz] = [positions[at], positions[at + 1], positions[at + 2]];
    let [x, y, z, total] = [0, 0, 0, 0];
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
      const w = values[slot];
      if (w === 0) continue;
      const m = joints[slot] * 16;
      x += w * (matrices[m] * px + matrices[m + 4] * py + matrices[m + 8] * pz + matrices[m + 12]);
      y +=
        w * (matrices[m + 1] * px + matrices[m + 5] * py + matrices[m + 9] * pz + matrices[m + 13]);
      z +=
        w *
        (matrices[m + 2] * px + matrices[m + 6] * py + matrices[m + 10] * pz + matrices[m + 14]);
      total += w;
    }
    posed[at] = total === 0 ? px : x;
    posed[at + 1] = total === 0 ? py : y;
    posed[at + 2] = total === 0 ? pz : z;
  }
  return posed;
}

/**
 * Deforms vertices by the blended rigid motion of their joints (dual quaternion skinning), which preserves
 * volume where linear blending collapses at a twist.
 *
 * Quaternions q and -q are the same rotation: each is flipped to the hemisphere of the vertex's heaviest
 * joint. A vertex without any weight does not move. Scale in the matrices is ignored.
 *
 * Based on: Kavan, Collins, Zara, O'Sullivan. Skinning with Dual Quaternions. 2007.
 *
 * @param positions V×3, bind pose
 * @param matrices J×16 from bind pose to pose, column-major, as returned by `forwardKinematics`
 * @returns V×3
 */
export function dualQuaternion(
  positions: Float32Array,
  weights: SkinWeights,
  matrices: Float32Array,
): Float32Array {
  const motions = dualQuaternions(matrices);
  const { influences } = weights;
  const posed = new Float32Array(positions.length);
  const blend = new Float64Array(8);
  for (let vertex = 0; vertex * 3 < positions.length; vertex++) {
    blendMotions(blend, motions, weights, vertex * influences, (vertex + 1) * influences);
    moveVertex(posed, positions, vertex * 3, blend);
  }
  return posed;
}

/** J×8: the rotation, then the dual part (half the translation times the rotation). */
function dualQuaternions(matrices: Float32Array): Float64Array {
  const motions = new Float64Array(matrices.length / 2);
  for (let joint = 0; joint * 16 < matrices.length; joint++) {
    const matrix = matrices.subarray(joint * 16, joint * 16 + 16);
    const rotation = quaternionFromMat4(matrix);
    const half = [matrix[12] / 2, matrix[13] / 2, matrix[14] / 2, 0];
    motions.set(rotation, joint * 8);
    motions.set(multiplyQuaternions(half, rotation), joint * 8 + 4);
  }
  return motions;
}

/** The weighted sum over the slots from..to, each term flipped to the hemisphere of the heaviest one. */
function blendMotions(
  blend: Float64Array,
  motions: Float64Array,
  { joints, weights }: SkinWeights,
  from: number,
  to: number,
): void {
  blend.fill(0);
  // Rows descend, but those of other sources may not: search for the heaviest.
  let heaviest = from;
  for (let slot = from + 1; slot < to; slot++) {
    if (weights[slot] > weights[heaviest]) heaviest = slot;
  }
  const pivot = joints[heaviest] * 8;
  for (let slot = from; slot < to; slot++) {
    if (weights[slot] === 0) continue;
    const m = joints[slot] * 8;
    let cosine = 0;
    for (let i = 0; i < 4; i++) cosine += motions[pivot + i] * motions[m + i];
    const weight = cosine < 0 ? -weights[slot] : weights[slot];
    for (let i = 0; i < 8; i++) blend[i] += weight * motions[m + i];
  }
}

/** Applies a blended motion to the vertex whose x is at `at`. */
function moveVertex(posed: Float32Array, positions: Float32Array, at: number, blend: Float64Array) {
  const [px, py, pz] = [positions[at], positions[at + 1], positions[at + 2]];
  const [rx, ry, rz, rw, dx, dy, dz, dw] = blend;
  const square = rx * rx + ry * ry + rz * rz + rw * rw;
  if (square === 0) {
    posed.set([px, py, pz], at);
    return;
  }
  // p + 2 r × (r × p + w p) rotates, 2 (w d - dw r + r × d) translates; both divided by |r|².
  const cx = ry * pz - rz * py + rw * px;
  const cy = rz * px - rx * pz + rw * py;
  const cz = rx * py - ry * px + rw * pz;
  const s = 2 / square;
  posed[at] = px + s * (ry * cz - rz * cy + rw * dx - dw * rx + ry * dz - rz * dy);
  posed[at + 1] = py + s * (rz * cx - rx * cz + rw * dy - dw * ry + rz * dx - rx * dz);
  posed[at + 2] = pz + s * (rx * cy - ry * cx + rw * dz - dw * rz + rx * dy - ry * dx);
}

/** Angle of the test rotations: far, but natural for most joints. */
export const TEST_DEGREES = 45;
const CHORD = 2 * Math.sin((TEST_DEGREES * Math.PI) / 360);

/** How far apart a pair of points moves, and the joint whose rotation shows it most. */
interface Growth {
  /** In units of the mesh. */
  length: number;
  /** -1 if the pair moves as one. */
  joint: number;
}

/** Measures how differently two rows move when one joint of a skeleton rotates. */
interface JointMotion {
  /** Growth of the distance between two points at the vertex, one with each row. */
  growth(a: WeightRow, b: WeightRow, vertex: number): Growth;
  /** An upper bound of the growth at any vertex, found quickly. */
  limitOf(a: WeightRow, b: WeightRow): number;
  /** Mean growth over pairs, for the joint with the largest mean. */
  meanGrowth(pairs: Iterable<readonly [WeightRow, WeightRow, number]>): Growth;
}

/**
 * Rotating one joint moves a point by (its weight at or below the joint) × chord × (distance from the
 * joint), in linear blend skinning. So the difference of those sums for two rows is how far they separate,
 * without posing the mesh.
 *
 * @param positions V×3
 */
export function createJointMotion(
  { parents, positions: joints }: Skeleton,
  positions: Float32Array,
): JointMotion {
  const difference = new Float64Array(parents.length);
  const total = new Float64Array(parents.length);
  const touched: number[] = [];
  const isTouched = new Uint8Array(parents.length);
  const add = ({ joints: list, values }: WeightRow, sign: number) => {
    for (let i = 0; i < list.length; i++) {
      for (let joint = list[i]; joint >= 0; joint = parents[joint]) {
        if (isTouched[joint] === 0) {
          isTouched[joint] = 1;
          touched.push(joint);
        }
        difference[joint] += sign * values[i];
      }
    }
  };
  /** Visits the joints whose rotation separates the two rows. */
  const compare = (
    a: WeightRow,
    b: WeightRow,
    v: number,
    visit: (joint: number, length: number) => void,
  ) => {
    if (a === b) return;
    add(a, 1);
    add(b, -1);
    const x = positions[v * 3];
    const y = positions[v * 3 + 1];
    const z = positions[v * 3 + 2];
    for (const joint of touched) {
      const apart = Math.abs(difference[joint]);
      difference[joint] = 0;
      isTouched[joint] = 0;
      if (apart < 1e-4) continue;
      const dx = joints[joint * 3] - x;
      const dy = joints[joint * 3 + 1] - y;
      const dz = joints[joint * 3 + 2] - z;
      visit(joint, apart * CHORD * Math.sqrt(dx * dx + dy * dy + dz * dz));
    }
    touched.length = 0;
  };
  const box = boundsOf(positions);
  const far = boundsOf(joints);
  const reach = Math.hypot(
    ...[0, 1, 2].map((i) => Math.max(box.max[i], far.max[i]) - Math.min(box.min[i], far.min[i])),
  );
  return {
    limitOf(a, b) {
      // Both rows sum to 1, so no sum differs by more than half of the differences.
      let apart = 0;
      for (let i = 0; i < a.joints.length; i++) {
        apart += Math.abs(a.values[i] - weightIn(b, a.joints[i]));
      }
      for (let i = 0; i < b.joints.length; i++) {
        if (!a.joints.includes(b.joints[i])) apart += b.values[i];
      }
      return (apart / 2) * CHORD * reach;
    },
    growth(a, b, vertex) {
      const most: Growth = { length: 0, joint: -1 };
      compare(a, b, vertex, (joint, length) => {
        if (length > most.length || (length === most.length && joint < most.joint)) {
          most.length = length;
          most.joint = joint;
        }
      });
      return most;
    },
    meanGrowth(pairs) {
      total.fill(0);
      let count = 0;
      for (const [a, b, vertex] of pairs) {
        count++;
        compare(a, b, vertex, (joint, length) => {
          total[joint] += length;
        });
      }
      const most: Growth = { length: 0, joint: -1 };
      total.forEach((length, joint) => {
        if (length / count > most.length) {
          most.length = length / count;
          most.joint = joint;
        }
      });
      return most;
    },
  };
}
