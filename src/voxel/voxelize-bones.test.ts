import { expect, test } from "vitest";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid } from "./build-grid.ts";
import { cellAt, fillOutside, MESH } from "./voxel-grid.ts";
import { leafTails } from "./voxelize-bones.ts";

// A closed box from 0 to 1 in x, 0 to 2 in y, 0 to 1 in z.
const box: Mesh = {
  positions: Float32Array.from(
    [...Array(8).keys()].flatMap((i) => [i & 1, 2 * ((i >> 1) & 1), i >> 2]),
  ),
  triangles: Uint32Array.of(
    0,
    1,
    3,
    0,
    3,
    2,
    4,
    5,
    7,
    4,
    7,
    6,
    0,
    1,
    5,
    0,
    5,
    4,
    2,
    3,
    7,
    2,
    7,
    6,
    0,
    2,
    6,
    0,
    6,
    4,
    1,
    3,
    7,
    1,
    7,
    5,
  ),
};

test("a leaf continues in its parent's direction to the wall, and its last cell is a wall cell", () => {
  const { tails, size, grid } = tailsOf([-1, 0], [0.5, 0.3, 0.5], [0.5, 0.9, 0.5]);
  expect(grid.cells[cellAt(grid, tails[3], tails[4], tails[5])]).toBe(MESH);
  expect([...tails.subarray(0, 3)]).toEqual([0.5, 0.3, 0.5].map(Math.fround));
  expect(tails[3]).toBeCloseTo(0.5, 6);
  expect(Math.abs(tails[4] - 2)).toBeLessThan(1.5 * size);
  expect(tails[5]).toBeCloseTo(0.5, 6);
});

test("a leaf at its parent's position has the direction of an ancestor", () => {
  const { tails, size } = tailsOf([-1, 0, 1], [0.3, 1, 0.5], [0.5, 1, 0.5], [0.5, 1, 0.5]);
  expect(Math.abs(tails[6] - 1)).toBeLessThan(1.5 * size);
});

test("a leaf outside, a single root and an open mesh keep a point", () => {
  const outside = tailsOf([-1, 0], [0.5, 0.3, 0.5], [0.5, 2.4, 0.5]).tails;
  expect(outside[4]).toBe(Math.fround(2.4));
  expect([...tailsOf([-1], [0.5, 0.5, 0.5]).tails]).toEqual([0.5, 0.5, 0.5]);
  const open = { ...box, triangles: box.triangles.subarray(0, 24) };
  expect(tailsOf([-1, 0], [0.5, 0.3, 0.5], [0.5, 0.9, 0.5], open).tails[4]).toBe(Math.fround(0.9));
});

function tailsOf(parents: number[], ...rest: (number[] | Mesh)[]) {
  const places = rest.filter((item): item is number[] => Array.isArray(item));
  const mesh = rest.find((item): item is Mesh => !Array.isArray(item)) ?? box;
  const skeleton: Skeleton = {
    names: places.map(String),
    parents: Int32Array.from(parents),
    positions: Float32Array.from(places.flat()),
  };
  const grid = buildGrid(mesh, skeleton, { resolution: 40 });
  return { tails: leafTails(skeleton, grid, fillOutside(grid)), size: grid.size, grid };
}
