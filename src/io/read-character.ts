import { InputError } from "../input-error.ts";
import type { CharacterFile } from "./character-file.ts";
import { characterFromGltf, rigFromGltf } from "./character-from-gltf.ts";
import type { DracoLoader } from "./decode-draco.ts";
import { formatOf } from "./formats.ts";
import type { ResolveUri } from "./gltf-source.ts";

/** A file in memory. */
export interface InputFile {
  /** File name with ending; it names the character and appears in messages. */
  name: string;
  bytes: Uint8Array;
  /** Fetches files kept beside it (buffers and images of a .gltf, textures of an .obj). */
  resolve?: ResolveUri;
}

/** Options for {@link readCharacter}. */
export interface ReadCharacterOptions {
  /** A file whose skeleton takes the place of the character's own. */
  skeleton?: InputFile;
  /** Whether a file without joints or mesh is an error; default true. */
  needsJoints?: boolean;
  /** Gives the Draco decoder in a browser; Node loads its own. */
  draco?: DracoLoader;
}

/**
 * Reads a character from a file in any known format.
 *
 * The result is in one bind-pose space, y up, in the units of the file's world.
 */
export async function readCharacter(
  file: InputFile,
  options: ReadCharacterOptions = {},
): Promise<CharacterFile> {
  const { format, source } = await load(file, options.draco);
  const rig = options.skeleton
    ? rigFromGltf((await load(options.skeleton, options.draco)).source)
    : undefined;
  return characterFromGltf(source, format, {
    ...(rig ? { rig } : {}),
    ...(options.needsJoints === undefined ? {} : { needsJoints: options.needsJoints }),
  });
}

async function load(file: InputFile, draco: DracoLoader | undefined) {
  if (file.bytes.length === 0) throw new InputError(`${file.name}: the file is empty.`);
  const format = formatOf(file.name, file.bytes);
  const context = {
    ...(file.resolve ? { resolve: file.resolve } : {}),
    ...(draco ? { draco } : {}),
  };
  return { format: format.name, source: await format.load(file.name, file.bytes, context) };
}
