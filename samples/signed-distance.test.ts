import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../src/math/random.ts";
import { distance, lerp, type Vec3 } from "../src/math/vec3.ts";
import { melt } from "./melt.ts";
import {
  ball,
  cone,
  curveThrough,
  ellipsoid,
  plate,
  roundBox,
  type SignedDistance,
  smoothMin,
  smoothUnion,
  stretched,
  sweep,
  turned,
} from "./signed-distance.ts";

function randomPoint(random: Random): Vec3 {
  return [random() * 2 - 1, random() * 2 - 1, random() * 2 - 1];
}

describe("signed distances", () => {
  test("are zero on the surface, by hand", () => {
    const zeros: [SignedDistance, Vec3][] = [
      [ball([1, 0, 0], 2), [1, 2, 0]],
      [ellipsoid([0, 0, 0], [1, 2, 3]), [0, 0, -3]],
      [ellipsoid([0, 0, 0], [1, 2, 3]), [0.6, 1.6, 0]],
      [roundBox([0, 1, 0], [1, 2, 3], 0.5), [0, 3, 0]],
      [cone([0, 0, 0], [0, 2, 0], 1, 0.5), [0.75, 1, 0]],
      [
        sweep(
          [
            [0, 0, 0],
            [0, 0.5, 0],
            [0.5, 0.5, 0],
          ],
          [0.1, 0.1, 0.1],
        ),
        [0.3, 0.5, 0.1],
      ],
      [plate(1, [0, 0, 0], [1, 0, 0], 0.5, 0.5, 0.1), [0.5, 0.1, 0.2]],
      [plate(1, [0, 0, 0], [1, 0, 0], 0.5, 0.5, 0.1), [0.5, 0, 0.5]],
      [stretched(ball([0, 0, 0], 1), [0, 0, 0], [1, 0.5, 2]), [0, 0.5, 0]],
      [
        turned(
          ellipsoid([0, 0, 0], [2, 1, 1]),
          [0, 0, 0],
          [
            [0, 1, 0],
            [-1, 0, 0],
            [0, 0, 1],
          ],
        ),
        [0, 2, 0],
      ],
    ];
    for (const [shape, [x, y, z]] of zeros) expect(shape(x, y, z)).toBeCloseTo(0, 9);
  });

  test("are negative inside and positive outside", () => {
    const shapes = [
      ball([0, 0, 0], 1),
      ellipsoid([0, 0, 0], [0.5, 1, 2]),
      roundBox([0, 0, 0], [1, 1, 1], 0.2),
      plate(0, [0, 0, 0], [0, 1, 0], 0.5, 0.5, 0.1),
    ];
    for (const shape of shapes) {
      expect(shape(0, 0, 0)).toBeLessThan(0);
      expect(shape(3, 3, 3)).toBeGreaterThan(1);
    }
  });

  test.each([1, 2, 3])("melting equals a plain union at every point (seed %i)", (seed) => {
    const random = createRandom(seed);
    const shapes = Array.from({ length: 30 }, () =>
      random() < 0.5
        ? ball(randomPoint(random), 0.1 + 0.1 * random())
        : cone(randomPoint(random), randomPoint(random), 0.05, 0.1),
    );
    for (const blend of [0.001, 0.1]) {
      const [fast, slow] = [melt(shapes, blend, 0.2), smoothUnion(shapes, blend)];
      for (let i = 0; i < 300; i++) {
        const [x, y, z] = randomPoint(random);
        expect(fast(x, y, z)).toBeCloseTo(slow(x, y, z), 12);
      }
    }
  });

  test("a smooth minimum is the minimum of distant values, and a quarter of the blend less for equal ones", () => {
    expect(smoothMin(1, 3, 0.5)).toBe(1);
    expect(smoothMin(2, 2, 0.4)).toBeCloseTo(1.9, 12);
  });

  test("a curve passes through its points, and is straight along a line", () => {
    const random = createRandom(5);
    const points = Array.from({ length: 5 }, () => randomPoint(random));
    const curve = curveThrough(points, 6);
    expect(curve.length).toBe(25);
    points.forEach((point, i) => {
      expect(distance(curve[i * 6], point)).toBeLessThan(1e-12);
    });
    const straight = curveThrough(
      [0, 1, 2].map((t) => lerp([0, 0, 0], [1, 2, 3], t)),
      4,
    );
    straight.forEach((point, i) => {
      expect(distance(point, lerp([0, 0, 0], [1, 2, 3], i / 4))).toBeLessThan(1e-12);
    });
  });
});
