import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

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

/**
 * A character as every method sees it: welded, longest side 1, floor at y = 0, centered in x and z.
 *
 * `character.weights`, where present, are the artist's, averaged over welded vertices.
 */
export interface PreparedCharacter {
  character: Character;
  /** V of the original, the welded vertex each vertex became. */
  welded: Int32Array;
  /** original = prepared / scale + offset. */
  scale: number;
  /** 3, see `scale`. */
  offset: [number, number, number];
}
