import {
  characterSymmetry,
  findSymmetry,
  type PreparedCharacter,
  type Symmetry,
} from "../../src/parts.ts";

/** How the two halves of a character correspond, and whether they are alike everywhere. */
export function bodySymmetry({ character, scale, offset }: PreparedCharacter): {
  symmetry: Symmetry;
  isSymmetric: boolean;
} {
  const origin = offset.map((value) => -value * scale);
  const complete = characterSymmetry(character);
  return {
    symmetry: complete ?? findSymmetry(character, 0, origin[0]),
    isSymmetric: complete !== undefined,
  };
}
