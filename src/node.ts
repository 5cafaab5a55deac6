// Reads and writes characters and models on a disk.

export {
  type ReadCharacterFileOptions,
  readCharacterFile,
  shippedModel,
  type WriteCharacterFileOptions,
  writeCharacterFile,
} from "./disk/character-files.ts";
export type { CharacterFile } from "./formats/character-file.ts";
