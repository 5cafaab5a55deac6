import { describe, expect, test } from "vitest";
import { quaternionFromAxisAngle, rotateVector } from "../math/quaternion.ts";
import { createRandom, type Random } from "../math/random.ts";
import { distance } from "../math/vec3.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { dualQuaternion, linearBlend } from "./deform.ts";
import type { SkinWeights } from "./skin-weights.ts";

const CHAIN: Skeleton = {
  names: ["root", "middle", "end"],
  parents: Int32Array.of(-1, 0, 1),
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0),
};

const METHODS = { linearBlend, dualQuaternion };

function randomPoints(random: Random, count: number): Float32Array {
  return Float32Array.from({ length: count * 3 }, () => random() * 3 - 0.5);
}

function randomWeights(random: Random, count: number, influences: number): SkinWeights {
  const joints = new Uint16Array(count * influences);
  const weights = new Float32Array(count * influences);
  for (let vertex = 0; vertex < count; vertex++) {
    const row = Array.from({ length: influences }, random).sort((a, b) => b - a);
    const sum = row.reduce((a, b) => a + b);
    for (let slot = 0; slot < influences; slot++) {
      joints[vertex * influences + slot] = (vertex + slot) % 3;
      weights[vertex * influences + slot] = row[slot] / sum;
    }
  }
  return { influences, joints, weights };
}

function furthest(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

describe.each(Object.entries(METHODS))("%s", (_, deform) => {
  test.each([1, 2])("reproduces the bind pose (seed %i)", (seed) => {
    const random = createRandom(seed);
    const points = randomPoints(random, 50);
    const rest = forwardKinematics(CHAIN, randomPose(CHAIN, random, { probability: 0 }));
    expect(furthest(deform(points, randomWeights(random, 50, 3), rest), points)).toBeLessThan(1e-6);
  });

  test.each([3, 4])("moves rigidly with the root (seed %i)", (seed) => {
    const random = createRandom(seed);
    const points = randomPoints(random, 50);
    const turn = quaternionFromAxisAngle([1, 2, -1], 2.5);
    const rotations = Float32Array.from([...turn, 0, 0, 0, 1, 0, 0, 0, 1]);
    const posed = deform(points, randomWeights(random, 50, 3), forwardKinematics(CHAIN, rotations));
    for (let vertex = 0; vertex < 50; vertex++) {
      const expected = rotateVector(turn, points.subarray(vertex * 3, vertex * 3 + 3));
      expect(distance(posed.subarray(vertex * 3, vertex * 3 + 3), expected)).toBeLessThan(1e-5);
    }
  });

  test("leaves a vertex without weight at rest", () => {
    const weights = { influences: 2, joints: new Uint16Array(2), weights: new Float32Array(2) };
    const pose = randomPose(CHAIN, createRandom(5), { probability: 1, degrees: 50 });
    const point = Float32Array.of(1, 2, 3);
    expect(deform(point, weights, forwardKinematics(CHAIN, pose))).toEqual(point);
  });
});

describe("linearBlend", () => {
  test("blends two bones by hand", () => {
    const quarter = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
    const rotations = Float32Array.from([0, 0, 0, 1, ...quarter, 0, 0, 0, 1]);
    const weights = {
      influences: 2,
      joints: Uint16Array.of(0, 1),
      weights: Float32Array.of(0.75, 0.25),
    };
    // The root keeps (2,0,0); the middle joint moves it to (1,1,0).
    const posed = linearBlend(
      Float32Array.of(2, 0, 0),
      weights,
      forwardKinematics(CHAIN, rotations),
    );
    expect(distance(posed, [1.75, 0.25, 0])).toBeLessThan(1e-6);
  });
});

describe("dualQuaternion", () => {
  test.each([1, 2, 3, 4])("equals linear blending for single influences (seed %i)", (seed) => {
    const random = createRandom(seed);
    const points = randomPoints(random, 60);
    const pose = randomPose(CHAIN, random, { probability: 1, degrees: 120 });
    const matrices = forwardKinematics(CHAIN, pose);
    const weights = randomWeights(random, 60, 1);
    const difference = furthest(
      dualQuaternion(points, weights, matrices),
      linearBlend(points, weights, matrices),
    );
    expect(difference).toBeLessThan(1e-5);
  });

  test("keeps the radius at a half twist, where linear blending collapses to the axis", () => {
    const half = quaternionFromAxisAngle([1, 0, 0], Math.PI);
    const rotations = Float32Array.from([0, 0, 0, 1, ...half, 0, 0, 0, 1]);
    const matrices = forwardKinematics(CHAIN, rotations);
    const weights = {
      influences: 2,
      joints: Uint16Array.of(0, 1),
      weights: Float32Array.of(0.5, 0.5),
    };
    const point = Float32Array.of(1, 0.6, 0.8);
    const linear = linearBlend(point, weights, matrices);
    expect(Math.hypot(linear[1], linear[2])).toBeLessThan(1e-6);
    const dual = dualQuaternion(point, weights, matrices);
    expect(Math.hypot(dual[1], dual[2])).toBeCloseTo(1, 5);
    expect(dual[0]).toBeCloseTo(1, 5);
  });

  test("does not depend on the sign of a rotation's quaternion", () => {
    // Rotations of 170 and -170 degrees differ by 20 degrees, but their quaternions point in opposite directions.
    const turn = (degrees: number) => quaternionFromAxisAngle([1, 0, 0], (degrees * Math.PI) / 180);
    const fork = { ...CHAIN, parents: Int32Array.of(-1, -1, 0), positions: new Float32Array(9) };
    const rotations = Float32Array.from([...turn(170), ...turn(-170), 0, 0, 0, 1]);
    const weights = {
      influences: 2,
      joints: Uint16Array.of(0, 1),
      weights: Float32Array.of(0.5, 0.5),
    };
    const posed = dualQuaternion(
      Float32Array.of(0, 1, 0),
      weights,
      forwardKinematics(fork, rotations),
    );
    expect(distance(posed, [0, -1, 0])).toBeLessThan(1e-5);
  });
});
