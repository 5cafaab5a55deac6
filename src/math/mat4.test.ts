import { describe, expect, test } from "vitest";
import {
  composeMat4,
  determinantMat4,
  identityMat4,
  invertMat4,
  multiplyMat4,
  transformDirection,
  transformPoint,
} from "./mat4.ts";
import { quaternionFromAxisAngle } from "./quaternion.ts";
import { createRandom, normal, type Random, randomDirection } from "./random.ts";
import { add } from "./vec3.ts";

function randomAffine(random: Random): number[] {
  const turn = quaternionFromAxisAngle(randomDirection(random), normal(random));
  const size = [0.5 + random(), 0.5 + random(), -0.5 - random()];
  return composeMat4([normal(random), normal(random), normal(random)], turn, size);
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(actual[i]).toBeCloseTo(expected[i], 10);
}

describe("mat4", () => {
  test("scales, then rotates, then translates", () => {
    const quarterTurn = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
    const m = composeMat4([10, 0, 0], quarterTurn, [2, 3, 1]);
    expectClose(transformPoint(m, [1, 0, 0]), [10, 2, 0]);
    expectClose(transformPoint(m, [0, 1, 0]), [7, 0, 0]);
    expectClose(m.slice(12), [10, 0, 0, 1]);
  });

  test.each([1, 2, 3, 4, 5])("a product applies the right factor first (seed %i)", (seed) => {
    const random = createRandom(seed);
    const [a, b] = [randomAffine(random), randomAffine(random)];
    const p = [normal(random), normal(random), normal(random)];
    const product = multiplyMat4(identityMat4(), a, b);
    expectClose(transformPoint(product, p), transformPoint(a, transformPoint(b, p)));
    expect(determinantMat4(product)).toBeCloseTo(determinantMat4(a) * determinantMat4(b), 10);
    expectClose(multiplyMat4(b, a, b), product);
  });

  test.each([11, 12, 13])("the inverse reverts the matrix, also in place (seed %i)", (seed) => {
    const m = randomAffine(createRandom(seed));
    const inverse = invertMat4(identityMat4(), m)!;
    expectClose(multiplyMat4(identityMat4(), inverse, m), identityMat4());
    expectClose(invertMat4(m, m)!, inverse);
  });

  test("a flat matrix has no inverse and does not change the output", () => {
    const out = identityMat4();
    expect(invertMat4(out, composeMat4([1, 2, 3], [0, 0, 0, 1], [1, 0, 1]))).toBeUndefined();
    expectClose(out, identityMat4());
  });

  test("a direction ignores the translation", () => {
    const m = randomAffine(createRandom(7));
    const d = [0.3, -2, 1];
    expectClose(add(transformDirection(m, d), m.slice(12, 15)), transformPoint(m, d));
  });
});
