import { createPacer, type Pacer } from "../event-loop.ts";
import { InputError, refuseUnknownOptions } from "../input-error.ts";
import { composeMat4 } from "../math/mat4.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { createBudget, spend, TEXT_GROWTH } from "./budget.ts";
import type { CharacterFile } from "./character-file.ts";
import { baseName, decodeUri } from "./endings.ts";
import type { Rig } from "./gltf/bind-space.ts";
import { characterSteps, rigFromGltf } from "./gltf/character-from-gltf.ts";
import type { DracoLoader } from "./gltf/decode-compressed.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";
import { decomposeNode } from "./gltf/node-tree.ts";
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
  /** Cancels reading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

const READ_OPTIONS: readonly (keyof ReadCharacterOptions)[] = [
  "skeleton",
  "joints",
  "rig",
  "needsJoints",
  "draco",
  "maxMemory",
  "signal",
];

/**
 * Reads a character from a file in any known format.
 *
 * The result is in one bind-pose space, y up, in the units of the file's world. A long file is read in steps between
 * which the event loop runs.
 */
export async function readCharacter(
  file: InputFile,
  options: ReadCharacterOptions = {},
): Promise<CharacterFile> {
  refuseUnknownOptions(options, READ_OPTIONS);
  options.signal?.throwIfAborted();
  const pacer = createPacer(options.signal);
  const { format, source } = await load(file, options, pacer);
  const rig = options.rig ?? (options.joints && rigOf(options.joints));
  const other = rig
    ? { rig: withoutUnits(rig) }
    : options.skeleton && (await readSkeleton(options.skeleton, options, pacer));
  const { needsJoints } = options;
  const read = await pacer.run(characterSteps(source, format, { ...other, needsJoints }));
  await pacer.pause();
  return read;
}

/** Reads the rig of another file: RigNet's text, or any format of characters. */
async function readSkeleton(file: InputFile, options: ReadCharacterOptions, pacer: Pacer) {
  if (!/\.txt$/i.test(file.name)) {
    return { rig: withoutUnits(rigFromGltf((await load(file, options, pacer)).source)) };
  }
  const budget = createBudget(file.name, options.maxMemory);
  spend(budget, TEXT_GROWTH * file.bytes.length);
  const text = new TextDecoder().decode(file.bytes);
  const { skeleton, weights } = parseRigNetText(file.name, text, budget);
  return { rig: rigOf(skeleton), weights };
}

/**
 * Removes the uniform scale of joints, which converts the unit of their own file: programs that know no scale of bones
 * at rest, such as Blender, would show a mesh in centimeters a hundred times as large in its bind pose.
 */
function withoutUnits(rig: Rig): Rig {
  const bindMatrices = rig.bindMatrices.map((bind) => {
    const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale, matrix } = decomposeNode(bind);
    const isUniform = scale?.every((value) => Math.abs(value / scale[0] - 1) < 1e-4 && value > 0);
    return isUniform && !matrix ? composeMat4(translation, rotation) : bind;
  });
  return { ...rig, bindMatrices };
}

/** A rig of unrotated joints that have no nodes yet. */
function rigOf(skeleton: Skeleton): Rig {
  const bindMatrices = skeleton.names.map((_, j) =>
    composeMat4(skeleton.positions.subarray(j * 3, j * 3 + 3), [0, 0, 0, 1]),
  );
  return { skeleton, bindMatrices, nodes: new Int32Array(skeleton.names.length).fill(-1) };
}

async function load(file: InputFile, options: ReadCharacterOptions, pacer: Pacer) {
  const { draco, maxMemory } = options;
  if (file.bytes.length === 0) throw new InputError(`${file.name}: the file is empty.`);
  const format = formatOf(file.name, file.bytes);
  const budget = createBudget(file.name, maxMemory);
  spend(budget, file.bytes.length);
  const context = { resolve: file.resolve, draco, budget, pacer };
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
