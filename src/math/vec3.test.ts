import { describe, expect, test } from "vitest";
import { createRandom, normal } from "./random.ts";
import {
  add,
  cross,
  distance,
  dot,
  length,
  lerp,
  nearestParameter,
  normalize,
  scale,
  segmentDistance,
  subtract,
} from "./vec3.ts";

describe("vec3", () => {
  test("computes by hand", () => {
    expect(add([1, 2, 3], [4, 5, 6])).toEqual([5, 7, 9]);
    expect(subtract([1, 2, 3], [4, 5, 7])).toEqual([-3, -3, -4]);
    expect(scale([1, -2, 3], 2)).toEqual([2, -4, 6]);
    expect(lerp([0, 0, 0], [2, 4, 8], 0.25)).toEqual([0.5, 1, 2]);
    expect(dot([1, 2, 3], [4, -5, 6])).toBe(12);
    expect(cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
    expect(length([2, 3, 6])).toBe(7);
    expect(distance([1, 1, 1], [3, 4, 7])).toBe(7);
  });

  test.each([1, 2, 3])("the cross product is perpendicular to both (seed %i)", (seed) => {
    const random = createRandom(seed);
    const [a, b] = [0, 1].map(() => [normal(random), normal(random), normal(random)]);
    const c = cross(a, b);
    expect(dot(a, c)).toBeCloseTo(0, 12);
    expect(dot(b, c)).toBeCloseTo(0, 12);
    const square = dot(a, a) * dot(b, b) - dot(a, b) ** 2;
    expect(dot(c, c)).toBeCloseTo(square, 10);
  });

  test("a normalized vector has length 1, and zero stays zero", () => {
    expect(length(normalize([3, -4, 12]))).toBeCloseTo(1, 12);
    expect(normalize([0, 0, 0])).toEqual([0, 0, 0]);
  });
});

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
