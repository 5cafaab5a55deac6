import type { Character } from "./character.ts";

/**
 * A character as every method sees it: welded, longest side 1, floor at y = 0, centred in x and z.
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
