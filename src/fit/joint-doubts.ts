import type { Skeleton } from "../skeleton/skeleton.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import type { BodyDepth } from "./body-depth.ts";

/** How sure the position of a fitted joint is, and why not. */
export interface JointDoubt {
  joint: number;
  /** 0 to 1. */
  sure: number;
  reason: "outside the body" | "near the surface";
}

/** Cells around a joint among which the deepest counts. */
const AROUND = 3;
/** Below this fraction of the depth nearby a joint is not in the middle. */
const MIDDLE = 0.4;

/**
 * Finds the joints whose position is doubtful: outside the body, or near its surface where the middle is deep.
 *
 * @returns in joint order; empty if all joints are in the middle of the body
 */
export function jointDoubts({ positions }: Skeleton, body: BodyDepth): JointDoubt[] {
  const doubts: JointDoubt[] = [];
  for (let joint = 0; joint < positions.length / 3; joint++) {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    const depth = depthAt(body, x, y, z);
    if (depth === 0) {
      doubts.push({ joint, sure: 0, reason: "outside the body" });
      continue;
    }
    const sure = depth / deepestNear(body, x, y, z);
    if (sure < MIDDLE) doubts.push({ joint, sure, reason: "near the surface" });
  }
  return doubts;
}

/** Returns the depth at a point in cells, 0 outside the grid. */
export function depthAt({ grid, depths }: BodyDepth, x: number, y: number, z: number): number {
  const { origin, size, nx, ny, nz } = grid;
  const cell = [x, y, z].map((value, axis) => Math.floor((value - origin[axis]) / size));
  const isOut = cell.some((value, axis) => value < 0 || value >= [nx, ny, nz][axis]);
  return isOut ? 0 : depths[cellAt(grid, x, y, z)];
}

function deepestNear(body: BodyDepth, x: number, y: number, z: number): number {
  const { size } = body.grid;
  let deepest = 0;
  for (let dz = -AROUND; dz <= AROUND; dz++) {
    for (let dy = -AROUND; dy <= AROUND; dy++) {
      for (let dx = -AROUND; dx <= AROUND; dx++) {
        const depth = depthAt(body, x + dx * size, y + dy * size, z + dz * size);
        if (depth > deepest) deepest = depth;
      }
    }
  }
  return deepest;
}
