import { expect, test } from "vitest";
import { createRandom, normal } from "../math/random.ts";
import type { Bones } from "../skeleton/bones.ts";
import { createPairGeometry, pairGeometry } from "./pair-geometry.ts";

/** Bones of the given segments, a list of six numbers each. */
function bonesOfSegments(lists: number[][][]): Bones {
  const starts = Int32Array.of(0, ...lists.map((_, b) => lists.slice(0, b + 1).flat().length));
  const heads = lists.flatMap((list) => list[0].slice(0, 3));
  const ends = lists.flatMap((list) => list[0].slice(3));
  return {
    starts,
    segments: Float32Array.from(lists.flat(2)),
    heads: Float32Array.from(heads),
    ends: Float32Array.from(ends),
  };
}

test("measures a point next to, beyond and at a bone of length zero", () => {
  const bones = bonesOfSegments([[[0, 0, 0, 2, 0, 0]], [[1, 1, 1, 1, 1, 1]]]);
  const beside = pairGeometry(0.5, 3, 0, bones, 0, createPairGeometry());
  expect(beside).toMatchObject({ distance: 3, along: 0.25, alongFree: 0.25, length: 2 });
  expect(beside.offset).toEqual([0, -3, 0]);
  expect(beside.axis).toEqual([1, 0, 0]);
  const beyond = pairGeometry(4, 0, 0, bones, 0, createPairGeometry());
  expect(beyond).toMatchObject({ distance: 2, along: 1, alongFree: 2, offset: [-2, 0, 0] });
  const point = pairGeometry(1, 1, 3, bones, 1, createPairGeometry());
  expect(point).toMatchObject({ distance: 2, along: 0, alongFree: 0, length: 0 });
  expect(point.axis).toEqual([0, 0, 0]);
});

test.each([1, 2, 3])("uses the nearest of a bone's segments, like sampling (seed %i)", (seed) => {
  const random = createRandom(seed);
  const lists = [Array.from({ length: 3 }, () => Array.from({ length: 6 }, () => normal(random)))];
  const bones = bonesOfSegments(lists);
  const [x, y, z] = [normal(random), normal(random), normal(random)];
  const { distance, offset, axis } = pairGeometry(x, y, z, bones, 0, createPairGeometry());
  let nearest = Number.POSITIVE_INFINITY;
  for (const s of lists[0]) {
    for (let i = 0; i <= 2000; i++) {
      const t = i / 2000;
      const point = [0, 1, 2].map((axis) => s[axis] + t * (s[axis + 3] - s[axis]));
      nearest = Math.min(nearest, Math.hypot(point[0] - x, point[1] - y, point[2] - z));
    }
  }
  expect(distance).toBeCloseTo(nearest, 3);
  expect(Math.hypot(...offset)).toBeCloseTo(distance, 6);
  expect(Math.hypot(...axis)).toBeCloseTo(1, 6);
});

test("states the rule for a missing bone", () => {
  const bones = bonesOfSegments([[[0, 0, 0, 1, 0, 0]]]);
  expect(() => pairGeometry(0, 0, 0, bones, 1, createPairGeometry())).toThrow("bone must be 0-0");
});
