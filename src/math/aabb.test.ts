import { expect, test } from "vitest";
import { boundsOf, chebyshevDistance, includePoint, longestSide } from "./aabb.ts";

test("the box of points holds each of them and touches them on every side", () => {
  const box = boundsOf([1, 5, -2, 3, 4, 0, 2, 9, -7]);
  expect(box).toEqual({ min: [1, 4, -7], max: [3, 9, 0] });
  expect(longestSide(box)).toBe(7);
  includePoint(box, 10, 4, 0);
  expect(longestSide(box)).toBe(9);
});

test("an empty box has no side", () => {
  expect(longestSide(boundsOf([]))).toBe(0);
});

test("the distance to a box is zero inside and that of the farthest axis outside", () => {
  const box = boundsOf([0, 0, 0, 1, 1, 1]);
  expect(chebyshevDistance(box, 0.5, 1, 0)).toBe(0);
  expect(chebyshevDistance(box, -2, 1.5, 0)).toBe(2);
});
