import { expect, test } from "vitest";
import { literalHollow } from "../../test/helpers/hollow-literal.ts";
import { createRandom, type Random } from "../math/random.ts";
import { HOLLOW, MESH, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { createHollowSearch, MAX_LEVEL, resetSearch, searchHollow } from "./hollow-search.ts";
import { CLOSED, createHollowSpace, paddedCell } from "./hollow-space.ts";

const GRIDS = 300;

test(`the search equals Algorithm 1 cell by cell on ${GRIDS} random grids`, () => {
  let restarted = 0;
  for (let seed = 1; seed <= GRIDS; seed++) {
    const random = createRandom(seed);
    const grid = randomGrid(random);
    const space = createHollowSpace(grid);
    const search = createHollowSearch(space);
    if (space.meshParts > 1) restarted++;
    // Several bones in one scratch memory, to reveal an incomplete reset.
    for (let bone = 0; bone < 4; bone++) {
      const seeds = randomSeeds(random, grid);
      const leaveWall = random() < 0.5;
      const firstLevel = random() < 0.8 ? 0 : Math.floor(random() * 5);
      const expected = literalHollow(grid, seeds, leaveWall, firstLevel);
      const wantedCells = Int32Array.from(meshCells(grid), (cell) => paddedCell(grid, cell));
      const lastLevels = new Uint16Array(wantedCells.length).fill(MAX_LEVEL);
      searchHollow(search, {
        seeds: Int32Array.from(seeds, (cell) => paddedCell(grid, cell)),
        firstLevel,
        leaveWall,
        wantedCells,
        lastLevels,
      });
      const wrong = [...grid.cells.keys()].find((cell) => {
        const found = search.levels[paddedCell(grid, cell)];
        return (grid.cells[cell] === MESH || found < CLOSED) && found !== expected[cell];
      });
      expect(wrong, `seed ${seed}, bone ${bone}: this cell differs`).toBe(undefined);
      resetSearch(search);
      const dirty = search.levels.findIndex((level, cell) => level !== space.blank[cell]);
      expect(dirty, `seed ${seed}: this cell was not reset`).toBe(-1);
    }
  }
  // The comparison is meaningful only if restarts are common.
  expect(restarted).toBeGreaterThan(GRIDS / 4);
});

test("with last levels, every useful cell has its level and the search ends early", () => {
  let skipped = 0;
  for (let seed = 1000; seed < 1100; seed++) {
    const random = createRandom(seed);
    const grid = randomGrid(random);
    const search = createHollowSearch(createHollowSpace(grid));
    const seeds = randomSeeds(random, grid);
    const expected = literalHollow(grid, seeds, true);
    const cells = meshCells(grid).filter(() => random() < 0.3);
    const lastLevels = Uint16Array.from(cells, () => 1 + Math.floor(random() * 8));
    searchHollow(search, {
      seeds: Int32Array.from(seeds, (cell) => paddedCell(grid, cell)),
      firstLevel: 0,
      leaveWall: true,
      wantedCells: Int32Array.from(cells, (cell) => paddedCell(grid, cell)),
      lastLevels,
    });
    cells.forEach((cell, i) => {
      const found = search.levels[paddedCell(grid, cell)];
      if (expected[cell] <= lastLevels[i]) expect(found, `seed ${seed}`).toBe(expected[cell]);
      else if (found >= CLOSED) skipped++;
      else expect(found, `seed ${seed}`).toBe(expected[cell]);
    });
  }
  expect(skipped).toBeGreaterThan(0);
});

test("a search over a path longer than 16 bits still ends", () => {
  const grid: VoxelGrid = {
    nx: 70_000,
    ny: 1,
    nz: 1,
    origin: [0, 0, 0],
    size: 1,
    cells: new Uint8Array(70_000),
  };
  grid.cells[69_999] = MESH;
  const search = createHollowSearch(createHollowSpace(grid));
  const last = paddedCell(grid, 69_999);
  searchHollow(search, {
    seeds: Int32Array.of(paddedCell(grid, 0)),
    firstLevel: 0,
    leaveWall: true,
    wantedCells: Int32Array.of(last),
    lastLevels: Uint16Array.of(MAX_LEVEL),
  });
  expect(search.levels[last]).toBe(MAX_LEVEL);
});

/** Noise of some density, or nested hollow boxes with holes: pockets, shells, thick and thin walls. */
function randomGrid(random: Random): VoxelGrid {
  const [nx, ny, nz] = [0, 1, 2].map(() => 1 + Math.floor(random() * 9));
  const cells = new Uint8Array(nx * ny * nz);
  const grid: VoxelGrid = { nx, ny, nz, origin: [0, 0, 0], size: 1, cells };
  const density = random() * random();
  for (const cell of cells.keys()) cells[cell] = random() < density ? MESH : HOLLOW;
  for (let boxes = Math.floor(random() * 4); boxes > 0; boxes--) addShell(random, grid);
  return grid;
}

function addShell(random: Random, grid: VoxelGrid): void {
  const span = (n: number) => {
    const ends = [Math.floor(random() * n), Math.floor(random() * n)];
    return [Math.min(...ends), Math.max(...ends)];
  };
  const [x0, x1] = span(grid.nx);
  const [y0, y1] = span(grid.ny);
  const [z0, z1] = span(grid.nz);
  const holes = random() < 0.5 ? 0.1 : 0;
  for (let z = z0; z <= z1; z++) {
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const rim = x === x0 || x === x1 || y === y0 || y === y1 || z === z0 || z === z1;
        if (rim && random() >= holes) grid.cells[x + grid.nx * (y + grid.ny * z)] = MESH;
      }
    }
  }
}

function randomSeeds(random: Random, grid: VoxelGrid): number[] {
  const count = 1 + Math.floor(random() * 3);
  const seeds = Array.from({ length: count }, () => Math.floor(random() * grid.cells.length));
  return [...new Set(seeds)];
}

function meshCells(grid: VoxelGrid): number[] {
  return [...grid.cells.keys()].filter((cell) => grid.cells[cell] === MESH);
}
