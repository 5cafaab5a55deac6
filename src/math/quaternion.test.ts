import { describe, expect, test } from "vitest";
import { composeMat4, transformPoint } from "./mat4.ts";
import {
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  quaternionFromAxisAngle,
  quaternionFromMat4,
  rotateVector,
  rotationBetween,
  slerp,
} from "./quaternion.ts";
import { createRandom, normal, type Random, randomDirection } from "./random.ts";

function randomTurn(random: Random): Quaternion {
  return quaternionFromAxisAngle(randomDirection(random), (random() - 0.5) * 4 * Math.PI);
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(actual[i]).toBeCloseTo(expected[i], 9);
}

describe("quaternion", () => {
  test("rotates counterclockwise about an axis of any length", () => {
    const turn = quaternionFromAxisAngle([0, 5, 0], Math.PI / 2);
    expectClose(rotateVector(turn, [0, 0, 1]), [1, 0, 0]);
    expectClose(rotateVector(turn, [1, 0, 0]), [0, 0, -1]);
  });

  test.each([1, 2, 3, 4])("agrees with its matrix, product and inverse (seed %i)", (seed) => {
    const random = createRandom(seed);
    const [a, b] = [randomTurn(random), randomTurn(random)];
    const v = [normal(random), normal(random), normal(random)];
    expectClose(rotateVector(a, v), transformPoint(composeMat4([0, 0, 0], a), v));
    const product = multiplyQuaternions(a, b);
    expectClose(rotateVector(product, v), rotateVector(a, rotateVector(b, v)));
    const [x, y, z, w] = a;
    expectClose(rotateVector([-x, -y, -z, w], rotateVector(a, v)), v);
  });

  test("is read back from a scaled matrix, up to sign, at every branch", () => {
    const random = createRandom(21);
    const halfTurns: Quaternion[] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0.6, 0.8, 0, 0],
    ];
    for (const q of [...halfTurns, ...Array.from({ length: 200 }, () => randomTurn(random))]) {
      const back = quaternionFromMat4(composeMat4([1, 2, 3], q, [2, 0.5, 3]));
      const cosine = back.reduce((sum, value, i) => sum + value * q[i], 0);
      expect(Math.abs(cosine)).toBeCloseTo(1, 10);
    }
  });

  test("slerp follows the short arc at constant speed", () => {
    const a = quaternionFromAxisAngle([0, 0, 1], 0.2);
    const b = quaternionFromAxisAngle([0, 0, 1], 1.4).map((x) => -x);
    for (const t of [0, 0.25, 0.5, 1]) {
      const expected = rotateVector(quaternionFromAxisAngle([0, 0, 1], 0.2 + 1.2 * t), [1, 0, 0]);
      expectClose(rotateVector(slerp(a, b, t), [1, 0, 0]), expected);
    }
    expectClose(slerp(a, a, 0.3), a);
  });

  test("a zero quaternion becomes the identity", () => {
    expectClose(normalizeQuaternion([0, 0, 0, 0]), [0, 0, 0, 1]);
  });
});

test("rotates one direction to the other, also opposite ones", () => {
  const random = createRandom(7);
  for (let i = 0; i < 50; i++) {
    const from = randomDirection(random);
    const to = i < 5 ? from.map((value) => -value) : i < 8 ? from : randomDirection(random);
    const found = rotateVector(rotationBetween(from, to), from);
    expect(found).toBeAllClose(to, 1e-6);
  }
});
