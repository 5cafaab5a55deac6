import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { createHollowSpace } from "./hollow-space.ts";
import { createScene, type SearchControl, type SearchScene } from "./search-scene.ts";

/** Options for {@link createHollowScene}. */
export interface HollowOptions extends SearchControl {
  k?: number | undefined;
  /** `paper`: Algorithm 1 exactly. `default`: a bone whose cells are all mesh cells may leave the wall. */
  variant?: "default" | "paper" | undefined;
  /** Overrides the variant: whether a bone inside the wall may leave it. */
  leaveWall?: boolean | undefined;
}

/**
 * Prepares the search for HollowDist from every vertex to its K nearest bones: the length of the shortest path
 * of cells from the bone through hollow cells, inside or outside the body, that does not pierce the surface.
 *
 * Every bone reaches every vertex. The distance of a vertex is that of the previous cell on the path plus the
 * distance from its center (equation 1); of several previous cells the one nearest to the vertex counts, so
 * the result does not depend on the order of the search. A vertex in a cell that the bone passes through takes
 * its Euclidean distance to the bone.
 *
 * Based on: X. Pan et al. HeterSkinNet: A Heterogeneous Network for Skin Weights Prediction. 2021
 * (section 3.1, Algorithm 1).
 *
 * @param mesh in the space of `grid`, which was built from it
 */
export function createHollowScene(
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  options: HollowOptions = {},
): SearchScene {
  const { k, variant, leaveWall = variant !== "paper" } = options;
  return createScene(createHollowSpace(grid), mesh, bones, grid, { k, leaveWall });
}
