import type { Vec3 } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { type BodyDepth, bodyDepth, cellCenter } from "./body-depth.ts";
import { insideCells, searchInside } from "./inside-search.ts";

/** A part of the body that sticks out. */
export interface BodyBranch {
  tip: Vec3;
  /** Where it leaves the rest of the body. */
  base: Vec3;
  /** Length along its middle, in longest sides of the body. */
  length: number;
  /** Thickness halfway, in longest sides. */
  thickness: number;
}

/** Cells along the longest side: coarse, so that thin gaps between loose parts close. */
const RESOLUTION = 40;
/** Length of the shortest branch, in longest sides. */
const SHORTEST = 0.13;
/** More branches than this say nothing more about the kind of a body. */
const MOST = 16;
const NO_JOINTS = { names: [], parents: new Int32Array(0), positions: new Float32Array(0) };

/** Returns the depth field in which {@link bodyBranches} and the shape of a body are measured. */
export function coarseDepth(mesh: Mesh): BodyDepth {
  return bodyDepth(buildGrid(mesh, NO_JOINTS, { resolution: RESOLUTION }));
}

/**
 * Finds the parts of a body that stick out, longest first: limbs, head, tail.
 *
 * From the deepest cell the farthest one is a tip; the way to it becomes part of the tree, and the cell
 * farthest from the tree is the next tip, by distances through the body.
 */
export function bodyBranches({ grid, depths }: BodyDepth): BodyBranch[] {
  const inside = insideCells(grid, depths);
  if (inside.cells.length === 0) return [];
  const center = inside.cells.reduce((best, cell) => (depths[cell] > depths[best] ? cell : best));
  const tree = [center];
  const branches: BodyBranch[] = [];
  while (branches.length < MOST) {
    const { away, came } = searchInside(inside, depths.length, tree);
    let tip = -1;
    // A tip counts from the surface of the tree's limb, not from its middle.
    const gone = (cell: number) => away[cell] / 10 - depthAtBase(cell, came, depths);
    for (const cell of inside.cells)
      if (away[cell] > 0 && (tip < 0 || away[cell] > away[tip])) tip = cell;
    if (tip < 0) break;
    const length = gone(tip) / RESOLUTION;
    if (length < SHORTEST) break;
    const path: number[] = [];
    for (let at = tip; at >= 0; at = came[at]) path.push(at);
    tree.push(...path);
    const half = path[Math.floor(((length * RESOLUTION) / (away[tip] / 10) / 2) * path.length)];
    branches.push({
      tip: cellCenter(grid, tip),
      base: cellCenter(grid, path[path.length - 1]),
      length,
      thickness: (2 * depths[half]) / RESOLUTION,
    });
  }
  return branches;
}

function depthAtBase(cell: number, came: Int32Array, depths: Float32Array): number {
  let at = cell;
  while (came[at] >= 0) at = came[at];
  return depths[at];
}
