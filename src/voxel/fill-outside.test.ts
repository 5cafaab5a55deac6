import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { fillOutside, HOLLOW, MESH, type VoxelGrid } from "./voxel-grid.ts";

test("outside equals repeated spreading from the rim, on 100 random grids", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const [nx, ny, nz] = [0, 1, 2].map(() => 1 + Math.floor(random() * 8));
    const density = 0.2 + 0.5 * random();
    const cells = Uint8Array.from({ length: nx * ny * nz }, () =>
      random() < density ? MESH : HOLLOW,
    );
    const grid: VoxelGrid = { nx, ny, nz, origin: [0, 0, 0], size: 1, cells };
    expect([...fillOutside(grid)], `seed ${seed}`).toEqual(spread(grid));
  }
});

/** Marks hollow cells at the rim or next to a marked cell until nothing changes. */
function spread({ nx, ny, nz, cells }: VoxelGrid): number[] {
  const marked: number[] = new Array(cells.length).fill(0);
  const at = (x: number, y: number, z: number) =>
    x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? 1 : marked[x + nx * (y + ny * z)];
  for (let changed = true; changed; ) {
    changed = false;
    for (const cell of cells.keys()) {
      const x = cell % nx;
      const y = Math.floor(cell / nx) % ny;
      const z = Math.floor(cell / (nx * ny));
      if (cells[cell] !== HOLLOW || marked[cell] === 1) continue;
      const around =
        at(x - 1, y, z) +
        at(x + 1, y, z) +
        at(x, y - 1, z) +
        at(x, y + 1, z) +
        at(x, y, z - 1) +
        at(x, y, z + 1);
      if (around > 0) {
        marked[cell] = 1;
        changed = true;
      }
    }
  }
  return marked;
}
