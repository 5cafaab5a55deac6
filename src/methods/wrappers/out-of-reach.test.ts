import { expect, test } from "vitest";
import { outOfReach } from "./deforming-joints.ts";

const mesh = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  triangles: new Uint32Array(3),
};

/** Flags of joints at positions along x, each with a given parent. */
function flags(...joints: [x: number, parent: number][]): number[] {
  const skeleton = {
    names: joints.map((_, joint) => `${joint}`),
    parents: Int32Array.from(joints, ([, parent]) => parent),
    positions: Float32Array.from(joints.flatMap(([x]) => [x, 0, 0])),
  };
  return [...outOfReach({ mesh, skeleton })];
}

test("a branch is out of reach if all of it is farther than two sizes of the mesh", () => {
  expect(flags([0, -1], [2.9, 0], [3.1, 0], [50, 2])).toEqual([0, 0, 1, 1]);
});

test("ancestors of a near joint are in reach at any distance", () => {
  expect(flags([50, -1], [60, 0], [0.5, 1], [70, 1])).toEqual([0, 0, 0, 1]);
});

test("if all joints are far, all are in reach", () => {
  expect(flags([50, -1], [60, 0])).toEqual([0, 0]);
});
