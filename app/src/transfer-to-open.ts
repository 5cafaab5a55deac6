import type { CharacterFile } from "../../src/formats/index.ts";
import { type Character, InputError, type SkinWeights, transfer } from "../../src/index.ts";
import { type PreparedCharacter, prepareCharacter } from "../../src/parts.ts";

/**
 * Transfers weights to the open character from another one in the same position, between joints of the same name.
 *
 * @returns P rows, of the welded vertices of the open character
 */
export async function transferToOpen(
  source: Character,
  open: { file: CharacterFile; prepared: PreparedCharacter },
): Promise<SkinWeights> {
  const { character } = open.file;
  const { weights } = await transfer(source, character.mesh);
  const joints = source.skeleton.names.map((name) => character.skeleton.names.indexOf(name));
  const missing = new Set<number>();
  const mapped = {
    ...weights,
    joints: weights.joints.map((joint, slot) => {
      if (joints[joint] < 0 && weights.weights[slot] > 0) missing.add(joint);
      return Math.max(0, joints[joint]);
    }),
  };
  if (missing.size > 0) {
    const [first] = missing;
    throw new InputError(
      `${source.name}: its joint "${source.skeleton.names[first]}" has no counterpart in ${character.name}; both must have joints of the same names.`,
    );
  }
  return prepareCharacter({ ...character, weights: mapped }).character.weights!;
}
