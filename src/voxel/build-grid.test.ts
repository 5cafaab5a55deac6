import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { InputError } from "../input-error.ts";
import { createRandom } from "../math/random.ts";
import { triangleTouchesBox } from "../math/triangle.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid } from "./build-grid.ts";
import { cellAt, HOLLOW, MESH, type VoxelGrid } from "./voxel-grid.ts";

const noJoints: Skeleton = {
  names: [],
  parents: new Int32Array(0),
  positions: new Float32Array(0),
};

test("a cell is a mesh cell exactly if a triangle touches it, on 12 random soups", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const mesh = soup(seed, 6);
    const grid = buildGrid(mesh, noJoints, { resolution: 16 });
    const wrong = [...grid.cells.keys()].filter(
      (cell) => (grid.cells[cell] === MESH) !== touchesAny(mesh, grid, cell),
    );
    expect(wrong, `seed ${seed}`).toEqual([]);
  }
});

test("a triangle repeated 500,000 times is marked once", () => {
  const once = soup(5, 1);
  const triangles = Uint32Array.from({ length: 1_500_000 }, (_, i) => once.triangles[i % 3]);
  const grids = [once, { ...once, triangles }].map((mesh) =>
    buildGrid(mesh, noJoints, { resolution: 128 }),
  );
  expect(grids[1].cells).toEqual(grids[0].cells);
});

test("no point of a thin skirt or a body is in a hollow cell", () => {
  const random = createRandom(3);
  for (const name of ["dancer", "fox"]) {
    const { mesh, skeleton } = makeSample(name);
    const grid = buildGrid(mesh, skeleton, { resolution: 48 });
    for (let i = 0; i < 3000; i++) {
      const f = Math.floor((random() * mesh.triangles.length) / 3);
      const [u, v] = [random(), random()].sort();
      const p = [0, 1, 2].map((axis) => {
        const [a, b, c] = [0, 1, 2].map(
          (k) => mesh.positions[mesh.triangles[f * 3 + k] * 3 + axis],
        );
        return a * u + b * (v - u) + c * (1 - v);
      });
      if (grid.cells[cellAt(grid, p[0], p[1], p[2])] !== MESH) {
        expect.fail(`${name}: triangle ${f} is missed`);
      }
    }
  }
});

test("the longest side has as many cells as the resolution, with a free margin around all sides", () => {
  const mesh = soup(4, 20);
  const grid = buildGrid(mesh, noJoints, { resolution: 40 });
  expect(Math.max(grid.nx, grid.ny, grid.nz)).toBe(42);
  const { nx, ny, nz, cells } = grid;
  for (const cell of cells.keys()) {
    const [x, y, z] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    const rim = x === 0 || y === 0 || z === 0 || x === nx - 1 || y === ny - 1 || z === nz - 1;
    if (rim) expect(cells[cell]).toBe(HOLLOW);
  }
});

test("joints widen the grid up to a mesh's length away, not beyond", () => {
  const mesh = soup(5, 20);
  const joint = (x: number): Skeleton => ({
    names: ["a"],
    parents: Int32Array.of(-1),
    positions: Float32Array.of(x, 0.5, 0.5),
  });
  const near = buildGrid(mesh, joint(1.5), { resolution: 30 });
  expect(near.origin[0] + near.nx * near.size).toBeGreaterThan(1.5);
  const far = buildGrid(mesh, joint(500), { resolution: 30 });
  expect(far.size).toBeLessThan(0.05);
});

test("one long thin triangle at the largest resolution costs about its own cells", () => {
  const mesh: Mesh = {
    positions: Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0.999, 1),
    triangles: Uint32Array.of(0, 1, 2),
  };
  const grid = buildGrid(mesh, noJoints, { resolution: 256 });
  let count = 0;
  for (const kind of grid.cells) count += kind;
  expect(count).toBeGreaterThan(256);
  expect(count).toBeLessThan(256 * 12);
});

test("wrong input is reported", () => {
  const empty: Mesh = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
  expect(() => buildGrid(empty, noJoints)).toThrow(InputError);
  expect(() => buildGrid(soup(1, 1), noJoints, { resolution: 8 })).toThrow(/from 16 to 512/);
  expect(() => buildGrid(soup(1, 1), noJoints, { resolution: Number.NaN })).toThrow(InputError);
  const broken = soup(1, 1);
  broken.positions[4] = Number.NaN;
  expect(() => buildGrid(broken, noJoints)).toThrow(/finite/);
});

function soup(seed: number, count: number): Mesh {
  const random = createRandom(seed);
  const positions = Float32Array.from({ length: count * 9 }, () => random());
  return { positions, triangles: Uint32Array.from({ length: count * 3 }, (_, i) => i) };
}

function touchesAny(mesh: Mesh, grid: VoxelGrid, cell: number): boolean {
  const { nx, ny, origin, size } = grid;
  const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
  for (let f = 0; f < mesh.triangles.length; f += 3) {
    const corners = [0, 1, 2].flatMap((k) =>
      [0, 1, 2].map(
        (axis) => (mesh.positions[mesh.triangles[f + k] * 3 + axis] - origin[axis]) / size,
      ),
    );
    if (triangleTouchesBox(corners, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5, 0.5, 0.5, 0.5)) {
      return true;
    }
  }
  return false;
}
