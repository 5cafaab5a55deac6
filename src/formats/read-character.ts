import { InputError } from "../input-error.ts";
import { composeMat4 } from "../math/mat4.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { createBudget, spend } from "./budget.ts";
import type { CharacterFile } from "./character-file.ts";
import { baseName, decodeUri } from "./endings.ts";
import type { Rig } from "./gltf/bind-space.ts";
import { characterFromGltf, rigFromGltf } from "./gltf/character-from-gltf.ts";
import type { DracoLoader } from "./gltf/decode-compressed.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";
import { FORMATS, formatOf } from "./registry.ts";
import { parseRigNetText } from "./rignet/rignet-text.ts";

/** A file in memory. */
export interface InputFile {
  /** File name with extension; it names the character and appears in messages. */
  name: string;
  bytes: Uint8Array;
  /** Fetches files next to it (buffers and images of a .gltf, textures of an .obj). */
  resolve?: ResolveUri | undefined;
}

/** Options for {@link readCharacter}. */
export interface ReadCharacterOptions {
  /** A file (any format, or RigNet's text) whose skeleton replaces the character's own, in the same space. */
  skeleton?: InputFile | undefined;
  /** Joints that replace the character's own, in its space. */
  joints?: Skeleton | undefined;
  /** The same, with orientations: see `movedRig`. */
  rig?: Rig | undefined;
  /** Whether a file without joints is an error; default true. */
  needsJoints?: boolean | undefined;
  /** Loads the Draco decoder in a browser; Node loads its own. */
  draco?: DracoLoader | undefined;
  /** Bytes each file may use while it is read, unpacked data included; default 1 GiB. */
  maxMemory?: number | undefined;
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
  const { format, source } = await load(file, options);
  const rig = options.rig ?? (options.joints && rigOf(options.joints));
  const other = rig ? { rig } : options.skeleton && (await readSkeleton(options.skeleton, options));
  return characterFromGltf(source, format, { ...other, needsJoints: options.needsJoints });
}

/** Reads the rig of another file: RigNet's text, or any format of characters. */
async function readSkeleton(file: InputFile, options: ReadCharacterOptions) {
  if (!/\.txt$/i.test(file.name)) return { rig: rigFromGltf((await load(file, options)).source) };
  const { skeleton, weights } = parseRigNetText(file.name, new TextDecoder().decode(file.bytes));
  return { rig: rigOf(skeleton), weights };
}

/** A rig of unrotated joints that have no nodes yet. */
function rigOf(skeleton: Skeleton): Rig {
  const bindMatrices = skeleton.names.map((_, j) =>
    composeMat4(skeleton.positions.subarray(j * 3, j * 3 + 3), [0, 0, 0, 1]),
  );
  return { skeleton, bindMatrices, nodes: new Int32Array(skeleton.names.length).fill(-1) };
}

async function load(file: InputFile, { draco, maxMemory }: ReadCharacterOptions) {
  if (file.bytes.length === 0) throw new InputError(`${file.name}: the file is empty.`);
  const format = formatOf(file.name, file.bytes);
  const budget = createBudget(file.name, maxMemory);
  spend(budget, file.bytes.length);
  const context = { resolve: file.resolve, draco, budget };
  return { format: format.name, source: await format.load(file.name, file.bytes, context) };
}

/**
 * Picks the character among files that belong together, such as those dropped on a page: a .gltf with
 * its buffers and images, an .obj with its materials. The other files are found by name.
 */
export function inputFromFiles(files: readonly { name: string; bytes: Uint8Array }[]): InputFile {
  const endings = FORMATS.flatMap((format) => format.endings);
  const main = files.find(({ name }) =>
    endings.some((ending) => name.toLowerCase().endsWith(ending)),
  );
  if (!main) {
    throw new InputError(`None of these files is a character; use one of ${endings.join(", ")}.`);
  }
  // Browsers do not reveal folders, so only the last part of a path can be compared.
  const byName = new Map(files.map(({ name, bytes }) => [baseName(name), bytes]));
  return { ...main, resolve: async (uri) => byName.get(baseName(decodeUri(uri))) };
}
