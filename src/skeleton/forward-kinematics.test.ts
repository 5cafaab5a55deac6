import { describe, expect, test } from "vitest";
import { transformPoint } from "../math/mat4.ts";
import { quaternionFromAxisAngle, rotateVector } from "../math/quaternion.ts";
import { createRandom, type Random } from "../math/random.ts";
import { add, distance, subtract } from "../math/vec3.ts";
import { forwardKinematics, randomPose } from "./pose.ts";
import { jointCount, type Skeleton } from "./skeleton.ts";

/** A random tree whose parents often come after their children. */
function randomSkeleton(random: Random, count: number): Skeleton {
  const rank = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
  const parents = new Int32Array(count).fill(-1);
  for (let i = 1; i < count; i++) parents[rank[i]] = rank[Math.floor(random() * i)];
  return {
    names: rank.map((r) => `joint ${r}`),
    parents,
    positions: Float32Array.from({ length: count * 3 }, () => random() * 2 - 1),
  };
}

function matrixOf(matrices: Float32Array, joint: number): Float32Array {
  return matrices.subarray(joint * 16, joint * 16 + 16);
}

function positionOf(skeleton: Skeleton, joint: number): number[] {
  return [...skeleton.positions.subarray(joint * 3, joint * 3 + 3)];
}

/** Slow, simple version: walk from the joint up to the root, rotating about each joint. */
function walkUp(skeleton: Skeleton, rotations: Float32Array, joint: number, p: number[]): number[] {
  let moved = p;
  for (let at = joint; at >= 0; at = skeleton.parents[at]) {
    const pivot = positionOf(skeleton, at);
    const turn = rotations.subarray(at * 4, at * 4 + 4);
    moved = add(pivot, rotateVector(turn, subtract(moved, pivot)));
  }
  return moved;
}

describe("forwardKinematics", () => {
  test("the bind pose yields identities", () => {
    const skeleton = randomSkeleton(createRandom(3), 12);
    const rest = randomPose(skeleton, createRandom(1), { probability: 0 });
    const matrices = forwardKinematics(skeleton, rest);
    for (let i = 0; i < matrices.length; i++) {
      expect(matrices[i]).toBeCloseTo((i % 16) % 5 === 0 ? 1 : 0, 6);
    }
  });

  test("rotates a forearm and its upper arm, by hand", () => {
    // Child first on purpose: elbow is joint 0, shoulder joint 1.
    const skeleton: Skeleton = {
      names: ["elbow", "shoulder"],
      parents: Int32Array.of(1, -1),
      positions: Float32Array.of(1, 0, 0, 0, 0, 0),
    };
    const quarter = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
    const matrices = forwardKinematics(skeleton, Float32Array.from([...quarter, ...quarter]));
    // The hand at (2,0,0): to (1,1,0) by the elbow, then to (-1,1,0) by the shoulder.
    const hand = transformPoint(matrixOf(matrices, 0), [2, 0, 0]);
    expect(distance(hand, [-1, 1, 0])).toBeLessThan(1e-6);
    const elbow = transformPoint(matrixOf(matrices, 1), [1, 0, 0]);
    expect(distance(elbow, [0, 1, 0])).toBeLessThan(1e-6);
  });

  test.each([1, 2, 3, 4, 5])("equals walking up the hierarchy (seed %i)", (seed) => {
    const random = createRandom(seed);
    const skeleton = randomSkeleton(random, 20);
    const rotations = randomPose(skeleton, random, { probability: 0.8, degrees: 60 });
    const matrices = forwardKinematics(skeleton, rotations);
    for (let joint = 0; joint < jointCount(skeleton); joint++) {
      const p = [random(), random(), random()];
      const moved = transformPoint(matrixOf(matrices, joint), p);
      expect(distance(moved, walkUp(skeleton, rotations, joint, p))).toBeLessThan(1e-5);
    }
  });

  test.each([6, 7])("keeps every bone's length (seed %i)", (seed) => {
    const random = createRandom(seed);
    const skeleton = randomSkeleton(random, 15);
    const rotations = randomPose(skeleton, random, { probability: 1, degrees: 90 });
    const matrices = forwardKinematics(skeleton, rotations);
    const posed = (joint: number) =>
      transformPoint(matrixOf(matrices, joint), positionOf(skeleton, joint));
    skeleton.parents.forEach((parent, joint) => {
      if (parent < 0) return;
      const before = distance(positionOf(skeleton, joint), positionOf(skeleton, parent));
      expect(distance(posed(joint), posed(parent))).toBeCloseTo(before, 5);
    });
  });

  test("a translation moves the joint in its parent's posed frame", () => {
    const skeleton: Skeleton = {
      names: ["root", "child"],
      parents: Int32Array.of(-1, 0),
      positions: Float32Array.of(0, 0, 0, 0, 1, 0),
    };
    const quarter = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
    const rotations = Float32Array.from([...quarter, 0, 0, 0, 1]);
    const matrices = forwardKinematics(skeleton, rotations, Float32Array.of(0, 0, 0, 0, 2, 0));
    const moved = transformPoint(matrixOf(matrices, 1), [0, 1, 0]);
    expect(distance(moved, [-3, 0, 0])).toBeLessThan(1e-6);
  });

  test("refuses a cycle and a wrong number of rotations", () => {
    const skeleton = randomSkeleton(createRandom(1), 4);
    expect(() => forwardKinematics(skeleton, new Float32Array(12))).toThrow(/16 numbers, got 12/);
    const cyclic = { ...skeleton, parents: Int32Array.of(-1, 2, 3, 1) };
    expect(() => forwardKinematics(cyclic, new Float32Array(16))).toThrow(/3 joints have no root/);
  });
});

describe("randomPose", () => {
  test("rotates the given fraction of joints by the given deviation", () => {
    const skeleton = randomSkeleton(createRandom(1), 4000);
    const pose = randomPose(skeleton, createRandom(2));
    const degrees: number[] = [];
    for (let joint = 0; joint < 4000; joint++) {
      const w = Math.min(1, Math.abs(pose[joint * 4 + 3]));
      if (w < 1) degrees.push((2 * Math.acos(w) * 180) / Math.PI);
    }
    expect(Math.abs(degrees.length / 4000 - 0.3)).toBeLessThan(0.03);
    const deviation = Math.sqrt(degrees.reduce((sum, d) => sum + d * d, 0) / degrees.length);
    expect(Math.abs(deviation - 25)).toBeLessThan(2);
  });

  test("is the same for the same seed", () => {
    const skeleton = randomSkeleton(createRandom(1), 30);
    expect(randomPose(skeleton, createRandom("cat"))).toEqual(
      randomPose(skeleton, createRandom("cat")),
    );
    expect(randomPose(skeleton, createRandom("cat"))).not.toEqual(
      randomPose(skeleton, createRandom("dog")),
    );
  });
});
