import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "./skin-weights.ts";

/**
 * A mesh and its skeleton in one bind-pose space, y up, with the weights its file had, if any.
 *
 * @example
 * const copy: Character = { name: "twin", mesh: character.mesh, skeleton: character.skeleton };
 * await skin(copy);
 */
export interface Character {
  name: string;
  mesh: Mesh;
  skeleton: Skeleton;
  /** What the artist (or another tool) painted; per vertex of `mesh`. */
  weights?: SkinWeights;
}
