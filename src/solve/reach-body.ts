import type { MeasuredCharacter } from "../distance/measure.ts";
import { boneCount } from "../skeleton/bones.ts";
import { visitNeighbours } from "../voxel/voxel-grid.ts";
import { voxelizeBones } from "../voxel/voxelize-bones.ts";

/** What of a body its bones get to without crossing the air. */
export interface BodyReach {
  /** One byte a cell, 1 where a path over faces inside the body, wall included, leads to a bone. */
  cells: Uint8Array;
  /** B, 1 for a bone with at least one cell inside the body or in its wall. */
  inside: Uint8Array;
}

/** Floods the body from the cells of its bones. */
export function reachBody({
  grid,
  outside,
  bones,
}: Pick<MeasuredCharacter, "grid" | "outside" | "bones">): BodyReach {
  const reached = new Uint8Array(outside.length);
  const inside = new Uint8Array(boneCount(bones));
  const boneCells = voxelizeBones(bones, grid);
  const open: number[] = [];
  const enter = (cell: number) => {
    if (outside[cell] === 1 || reached[cell] === 1) return;
    reached[cell] = 1;
    open.push(cell);
  };
  for (let b = 0; b < inside.length; b++) {
    // A bone beyond the grid has but a stand-in at its rim.
    if (boneCells.levels[b] > 0) continue;
    for (let i = boneCells.starts[b]; i < boneCells.starts[b + 1]; i++) {
      if (outside[boneCells.cells[i]] === 0) inside[b] = 1;
      enter(boneCells.cells[i]);
    }
  }
  while (open.length > 0) {
    visitNeighbours(grid, open.pop()!, enter);
  }
  return { cells: reached, inside };
}
