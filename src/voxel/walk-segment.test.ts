import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { triangleTouchesBox } from "../math/triangle.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { walkSegment } from "./voxelize-bones.ts";

const grid: VoxelGrid = {
  nx: 7,
  ny: 6,
  nz: 5,
  origin: [-1, 0.5, 2],
  size: 0.5,
  cells: new Uint8Array(7 * 6 * 5),
};

test("a walk visits face neighbors, from end to end, and only cells that the segment intersects", () => {
  const random = createRandom(21);
  for (let i = 0; i < 500; i++) {
    const [a, b] = [0, 1].map(() => [0, 1, 2].map((axis) => inside(axis, random())));
    const cells = walk(a, b);
    expect(cells[0], `segment ${i} of seed 21`).toBe(cellOf(a));
    expect(cells.at(-1)).toBe(cellOf(b));
    for (let k = 1; k < cells.length; k++) {
      expect([1, grid.nx, grid.nx * grid.ny]).toContain(Math.abs(cells[k] - cells[k - 1]));
    }
    for (const cell of cells) expect(meets(a, b, cell)).toBe(true);
    expect(new Set(cells).size).toBe(cells.length);
  }
});

test("a walk along an axis, a point, and a walk that misses the grid", () => {
  const at = (x: number, y: number, z: number) => [-1 + x / 2, 0.5 + y / 2, 2 + z / 2];
  expect(walk(at(0.5, 0.5, 0.5), at(3.5, 0.5, 0.5))).toEqual([0, 1, 2, 3]);
  expect(walk(at(3.5, 0.5, 0.5), at(0.5, 0.5, 0.5))).toEqual([3, 2, 1, 0]);
  expect(walk(at(2.5, 0.5, 0.5), at(2.5, 0.5, 0.5))).toEqual([2]);
  expect(walk(at(-3, 0.5, 0.5), at(2.5, 0.5, 0.5))).toEqual([0, 1, 2]);
  expect(walk(at(-3, 0.5, 0.5), at(-1, 0.5, 0.5))).toEqual([]);
  expect(walk(at(-1, 3, 0.5), at(3, -1.5, 0.5)).length).toBeGreaterThan(0);
  expect(walk(at(-5, 3, 0.5), at(3, -9, 0.5))).toEqual([]);
});

function walk(a: number[], b: number[]): number[] {
  const cells: number[] = [];
  walkSegment(grid, a, b, (cell) => {
    cells.push(cell);
    return true;
  });
  return cells;
}

function inside(axis: number, t: number): number {
  return grid.origin[axis] + t * grid.size * [grid.nx, grid.ny, grid.nz][axis];
}

function cellOf(p: number[]): number {
  const [x, y, z] = p.map((value, axis) => Math.floor((value - grid.origin[axis]) / grid.size));
  return x + grid.nx * (y + grid.ny * z);
}

function meets(a: number[], b: number[], cell: number): boolean {
  const [p, q] = [a, b].map((end) => end.map((x, axis) => (x - grid.origin[axis]) / grid.size));
  const x = cell % grid.nx;
  const y = Math.floor(cell / grid.nx) % grid.ny;
  const z = Math.floor(cell / (grid.nx * grid.ny));
  return triangleTouchesBox([...p, ...q, ...q], x + 0.5, y + 0.5, z + 0.5, 0.5, 0.5, 0.5);
}
