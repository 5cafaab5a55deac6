import { expect, test } from "vitest";
import { outOfReach } from "./deforming-joints.ts";

const mesh = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  triangles: new Uint32Array(3),
};

/** Flags of joints at places along x, each hanging on a given one. */
function flags(...joints: [x: number, parent: number][]): number[] {
  const skeleton = {
    names: joints.map((_, joint) => `${joint}`),
    parents: Int32Array.from(joints, ([, parent]) => parent),
    positions: Float32Array.from(joints.flatMap(([x]) => [x, 0, 0])),
  };
  return [...outOfReach({ mesh, skeleton })];
}

test("a branch that is far as a whole is out of reach, from two sizes of the mesh on", () => {
  expect(flags([0, -1], [2.9, 0], [3.1, 0], [50, 2])).toEqual([0, 0, 1, 1]);
});

test("what something near hangs on is in reach, wherever it is", () => {
  expect(flags([50, -1], [60, 0], [0.5, 1], [70, 1])).toEqual([0, 0, 0, 1]);
});

test("where all joints are far, all are looked at", () => {
  expect(flags([50, -1], [60, 0])).toEqual([0, 0]);
});
