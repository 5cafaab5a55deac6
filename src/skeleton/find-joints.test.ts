import { expect, test } from "vitest";
import { findJoints } from "./helper-joints.ts";

const skeleton = {
  names: ["arm*", "arm.L", "Arm.R", "leg, left"],
  parents: Int32Array.of(-1, 0, 0, 0),
  positions: new Float32Array(12),
};

test.each([
  ["arm*", [1, 0, 0, 0]],
  ["a*", [1, 1, 0, 0]],
  ["arm.r", [0, 0, 1, 0]],
  ["leg, left", [0, 0, 0, 1]],
])("%s: a literal name takes precedence over a pattern", (pattern, found) => {
  expect([...findJoints([pattern], skeleton, "lock")]).toEqual(found);
});
