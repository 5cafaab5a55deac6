import { boundsOf } from "../math/aabb.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { type WeightRow, weightIn } from "./skin-weights.ts";

/** Angle of the test rotations: far, but natural for most joints. */
export const TEST_DEGREES = 45;
const CHORD = 2 * Math.sin((TEST_DEGREES * Math.PI) / 360);

/** How far apart a pair of points moves, and the joint whose rotation shows it most. */
export interface Growth {
  /** In units of the mesh. */
  length: number;
  /** -1 if the pair moves as one. */
  joint: number;
}

/** Measures how differently two rows move when one joint of a skeleton rotates. */
export interface JointMotion {
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
