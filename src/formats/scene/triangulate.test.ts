import { describe, expect, test } from "vitest";
import { createRandom } from "../../math/random.ts";
import { triangulate } from "./split-corners.ts";

const area = (points: Float32Array, [a, b, c]: number[]) =>
  ((points[b * 3] - points[a * 3]) * (points[c * 3 + 1] - points[a * 3 + 1]) -
    (points[c * 3] - points[a * 3]) * (points[b * 3 + 1] - points[a * 3 + 1])) /
  2;

describe("triangulate", () => {
  test.each([1, 2, 3, 4, 5])(
    "covers a star-shaped outline exactly, winding kept (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const count = 5 + Math.floor(random() * 12);
      const points = new Float32Array(count * 3);
      for (let i = 0; i < count; i++) {
        const [angle, radius] = [(i / count) * 2 * Math.PI, 0.2 + random()];
        points.set([radius * Math.cos(angle), radius * Math.sin(angle), 0.001 * random()], i * 3);
      }
      const corners = Array.from({ length: count }, (_, i) => i);
      const found = triangulate(points, corners);
      expect(found.length).toBe((count - 2) * 3);
      let total = 0;
      for (let t = 0; t < found.length; t += 3) {
        const own = area(points, found.slice(t, t + 3));
        expect(own).toBeGreaterThan(-1e-9);
        total += own;
      }
      const outline = corners.reduce((sum, i) => {
        const j = (i + 1) % count;
        return sum + (points[i * 3] * points[j * 3 + 1] - points[j * 3] * points[i * 3 + 1]) / 2;
      }, 0);
      expect(total).toBeCloseTo(outline, 5);
    },
  );

  test("triangulates every outline, even one without area", () => {
    expect(triangulate(new Float32Array(15), [0, 1, 2, 3, 4]).length).toBe(9);
    expect(triangulate(new Float32Array(9), [0, 1, 2])).toEqual([0, 1, 2]);
  });
});
