import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { nearestParameter, segmentDistance } from "./segment.ts";

test("no sampled point of a segment is nearer than its distance, and one nearly attains it", () => {
  const random = createRandom(5);
  for (let i = 0; i < 200; i++) {
    const segments = Array.from({ length: 12 }, () => random());
    const [x, y, z] = [2 * random() - 0.5, 2 * random() - 0.5, 2 * random() - 0.5];
    const found = segmentDistance(segments, 1, x, y, z);
    let sampled = Infinity;
    for (let s = 0; s <= 400; s++) {
      const [px, py, pz] = [6, 7, 8].map(
        (o) => segments[o] + (s / 400) * (segments[o + 3] - segments[o]),
      );
      sampled = Math.min(sampled, Math.hypot(px - x, py - y, pz - z));
    }
    expect(found).toBeLessThanOrEqual(sampled + 1e-12);
    expect(sampled - found).toBeLessThan(0.01);
  }
});

test("a segment of length zero is a point", () => {
  expect(nearestParameter([1, 2, 3, 1, 2, 3], 0, 9, 9, 9)).toBe(0);
  expect(segmentDistance([1, 2, 3, 1, 2, 3], 0, 1, 2, 5)).toBe(2);
});
