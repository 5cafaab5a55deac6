import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { faceNeighbors, MESH } from "../voxel/voxel-grid.ts";
import { boneField, pathToBone } from "./bone-field.ts";
import { measureDistancesSync } from "./measure.ts";

const { mesh, skeleton } = makeSample("mushroom");
const k = skeleton.parents.length;
const { grid, bones, distances } = measureDistancesSync({ mesh, skeleton }, { resolution: 32, k });
const bone = skeleton.names.indexOf("capTop");
const field = boneField(mesh, bones, bone, grid);

test("the distances of one bone equal those computed with all bones", () => {
  const expected = Float32Array.from(field.distances, (_, v) => {
    const slot = distances.bones.subarray(v * k, v * k + k).indexOf(bone);
    return distances.distances[v * k + slot];
  });
  expect(field.distances).toEqual(expected);
});

test("every mesh cell has a descending path of neighbors to the bone", () => {
  let restarted = 0;
  for (const cell of grid.cells.keys()) {
    if (grid.cells[cell] !== MESH) continue;
    const path = pathToBone(grid, field, cell);
    expect(path.length).toBe(field.levels[cell] + 1);
    expect(field.levels[path.at(-1)!]).toBe(0);
    for (let i = 1; i < path.length; i++) {
      expect(faceNeighbors(grid, path[i - 1]).includes(path[i])).toBe(true);
    }
    // Seen from the bone: out of the wall into a hollow cell, which only a restart may do.
    if (
      path.some((at, i) => i > 0 && grid.cells[at] === MESH && grid.cells[path[i - 1]] !== MESH)
    ) {
      restarted++;
    }
  }
  expect(restarted).toBeGreaterThan(0);
});
