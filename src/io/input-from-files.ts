import { InputError } from "../input-error.ts";
import { baseName, decodeUri } from "./file-name.ts";
import { FORMATS } from "./formats.ts";
import type { InputFile } from "./read-character.ts";

/**
 * Picks the character among files that belong together, such as those dropped on a page: a .gltf with
 * its buffers and pictures, an .obj with its materials. The others are found by their names.
 */
export function inputFromFiles(files: readonly { name: string; bytes: Uint8Array }[]): InputFile {
  const endings = FORMATS.flatMap((format) => format.endings);
  const main = files.find(({ name }) =>
    endings.some((ending) => name.toLowerCase().endsWith(ending)),
  );
  if (!main) {
    throw new InputError(`None of these files is a character; use one of ${endings.join(", ")}.`);
  }
  // Browsers give no folders, so only the last part of a path can be compared.
  const byName = new Map(files.map(({ name, bytes }) => [baseName(name), bytes]));
  return { ...main, resolve: async (uri) => byName.get(baseName(decodeUri(uri))) };
}
