import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { readPlainFile, splitPattern } from "../disk/open-input.ts";
import { KEPT, resolvedPath } from "../disk/output-paths.ts";
import { ENDINGS, endingOf } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";

/** A file of a batch. */
export interface BatchFile {
  /** Paths relative to the input and the output folder, with forward slashes, as in the summary. */
  file: string;
  output: string;
  inputPath: string;
  outputPath: string;
  /** A rig text of the same name, for formats without joints. */
  skeletonPath?: string;
  bytes: number;
}

/** Formats that a batch can write from any input. */
export const BATCH_FORMATS: readonly BatchFormat[] = ["glb", "gltf", "fbx", "usdz"];

/** Such a format. */
export type BatchFormat = "glb" | "gltf" | "fbx" | "usdz";

/** Which files of a folder are bound, and the endings of their outputs. */
export interface BatchNames {
  /** Path of a text file with the files to bind, one path relative to the input folder per line. */
  list?: string | undefined;
  /** Write FBX, DAE and glTF in their own format; default false. */
  sameFormat?: boolean | undefined;
  /** Format of the other outputs; default glb. */
  format?: BatchFormat | undefined;
}

/**
 * Lists the characters of a folder tree, or those that match a pattern of paths, by name, with the paths of
 * their outputs: the same folders, with the ending `.glb` or that of `format` (a VRM stays a VRM; with
 * `sameFormat` an FBX, a DAE or a .gltf stays one).
 *
 * Inputs that differ only in their ending keep it: `fox.obj.glb`, `fox.fbx.glb`. Skips hidden files, and the
 * output folder if it is inside the input folder.
 */
export async function listBatch(
  input: string,
  outFolder: string,
  { list, sameFormat = false, format = "glb" }: BatchNames,
): Promise<BatchFile[]> {
  const { folder: inFolder, fits } = splitPattern(input);
  const info = await stat(inFolder).catch(() => undefined);
  if (!info) throw new InputError(`${inFolder}: no such folder.`);
  if (!info.isDirectory()) throw new InputError(`${inFolder}: this is a file; name its folder.`);
  const [from, to] = [await resolvedPath(inFolder), await resolvedPath(outFolder)];
  if (from === to) throw new InputError(`${outFolder}: the outputs need a separate folder.`);
  const names = await filesBelow(from, to);
  const files = names.filter((name) => ENDINGS.includes(endingOf(name)));
  if (files.length === 0) {
    throw new InputError(`${inFolder}: no characters in it; expected ${ENDINGS.join(", ")} files.`);
  }
  // Output names depend on all files, so that a list, a pattern or a shard has the same ones.
  const outputs = outputNames(files, sameFormat ? KEPT : /\.vrm$/i, `.${format}`);
  const all = new Set(names);
  const chosen = list === undefined ? undefined : await readList(list, new Set(files));
  const wanted = [...files.keys()].filter((i) => fits(files[i]) && chosen?.has(files[i]) !== false);
  if (wanted.length === 0) throw new InputError(`${input}: no character matches this pattern.`);
  return Promise.all(
    wanted.map(async (index) => {
      const file = files[index];
      const rig = `${withoutEnding(file)}.txt`;
      return {
        file,
        output: outputs[index],
        inputPath: path.join(inFolder, file),
        outputPath: path.join(outFolder, outputs[index]),
        ...(/\.obj$/i.test(file) && all.has(rig) ? { skeletonPath: path.join(inFolder, rig) } : {}),
        bytes: (await stat(path.join(inFolder, file)).catch(() => undefined))?.size ?? 0,
      };
    }),
  );
}

/** Reads a list; throws `InputError` for a name that is not among the files. */
async function readList(list: string, files: Set<string>): Promise<Set<string>> {
  const text = new TextDecoder().decode(await readPlainFile(list));
  const names = text.split(/\r?\n/).map((line) => line.trim().replaceAll("\\", "/"));
  const wanted = names.filter((name) => name !== "" && !name.startsWith("#"));
  const unknown = wanted.find((name) => !files.has(name));
  if (unknown !== undefined) {
    throw new InputError(
      `${list}: there is no character "${unknown}" in the input folder; use paths relative to it.`,
    );
  }
  if (wanted.length === 0) throw new InputError(`${list}: this list is empty.`);
  return new Set(wanted);
}

async function filesBelow(folder: string, except: string, below = ""): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => {
    throw new InputError(`${path.join(folder, below)}: this folder cannot be read.`);
  });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below ? `${below}/${entry.name}` : entry.name;
    const resolved = path.resolve(folder, name);
    if (entry.name.startsWith(".") || resolved === except) continue;
    // Follows links to files only; links to folders could be circular.
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, except, name)));
    else if ((await stat(resolved).catch(() => undefined))?.isFile()) found.push(name);
  }
  return found;
}

/** Returns the output name of each file, unique even on file systems that ignore case. */
function outputNames(files: string[], kept: RegExp, ending: string): string[] {
  const outputEnding = (file: string) => kept.exec(file)?.[0].toLowerCase() ?? ending;
  const plain = files.map((file) => `${withoutEnding(file)}${outputEnding(file)}`);
  const counts = new Map<string, number>();
  for (const name of plain)
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const taken = new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
  return files.map((file, index) => {
    if (counts.get(plain[index].toLowerCase()) === 1) return plain[index];
    let name = `${file}${outputEnding(file)}`;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${file}-${n}${outputEnding(file)}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function withoutEnding(file: string): string {
  return file.slice(0, file.length - path.extname(file).length);
}

/** One part of a batch that several machines share; `index` counts from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** Parses a shard such as `2/8`. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count)) {
    throw new InputError(
      `"${text}" is not a shard; use its number and the number of shards: 2/8 is the second of eight.`,
    );
  }
  return shard;
}

/** Assigns files to shards by a hash of their names, so that machines agree without communication. */
export function isInShard(file: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(file).digest().readUInt32BE(0) % count === index - 1;
}

/** Returns the part of file names that identifies a shard: ".2-of-8", or "" without shards. */
export function shardMark(shard: Shard | undefined): string {
  return shard ? `.${shard.index}-of-${shard.count}` : "";
}
