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
  /** Weights painted by an artist or another tool; per vertex of `mesh`. */
  weights?: SkinWeights;
}

/**
 * A character in the space of all methods: welded, longest side 1, floor at y = 0, centered in x and z.
 *
 * `character.weights`, if present, are the artist's, averaged over welded vertices.
 */
export interface PreparedCharacter {
  character: Character;
  /** V of the original, the welded vertex of each vertex. */
  welded: Int32Array;
  /** original = prepared / scale + offset. */
  scale: number;
  offset: [number, number, number];
}
