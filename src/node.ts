// Characters and models on a disk.

export type { CharacterFile } from "./io/character-file.ts";
export {
  type ReadCharacterFileOptions,
  readCharacterFile,
  shippedModel,
  type WriteCharacterFileOptions,
  writeCharacterFile,
} from "./io/node.ts";
