import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { realTarget } from "../disk/output-paths.ts";
import { ENDINGS, endingOf } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";

/** A file of a batch. */
export interface BatchFile {
  /** Path below the input folder, with forward slashes: its name in the summary. */
  file: string;
  /** Path below the output folder, likewise. */
  output: string;
  /** Where to read and write. */
  inputPath: string;
  outputPath: string;
  /** A rig text of the same name beside a file that can have no joints of its own. */
  skeletonPath?: string;
  /** Bytes of the input. */
  bytes: number;
}

/** Endings of formats that are edited, and are one file. */
const EDITED = /\.(?:vrm|fbx|dae)$/i;

/**
 * The characters in a folder and all folders below it, by name, with the place each one's output
 * gets: the same folders, `.glb` for the ending (a VRM stays a VRM; if asked for, an FBX an FBX, a DAE a DAE).
 *
 * Two inputs that differ only in their ending keep it: `fox.obj.glb`, `fox.fbx.glb`. Hidden files,
 * and the output folder where it lies inside the input folder, are left out.
 *
 * @param options.list a text with the names of the files to take, a line each, paths below the input folder
 */
export async function listBatch(
  inFolder: string,
  outFolder: string,
  { list, sameFormat = false }: { list?: string | undefined; sameFormat?: boolean | undefined },
): Promise<BatchFile[]> {
  const info = await stat(inFolder).catch(() => undefined);
  if (!info) throw new InputError(`${inFolder}: no such folder.`);
  if (!info.isDirectory()) throw new InputError(`${inFolder}: this is a file; name its folder.`);
  const [from, to] = [await realTarget(inFolder), await realTarget(outFolder)];
  if (from === to) {
    throw new InputError(`${outFolder}: the outputs need a folder of their own.`);
  }
  const names = await filesBelow(from, to);
  const files = names.filter((name) => ENDINGS.includes(endingOf(name)));
  if (files.length === 0) {
    throw new InputError(`${inFolder}: no characters in it; expected ${ENDINGS.join(", ")} files.`);
  }
  // Names of outputs hang on all files, so that a list or a shard gives the same ones.
  const outputs = outputNames(files, sameFormat ? EDITED : /\.vrm$/i);
  const all = new Set(names);
  const chosen = list === undefined ? undefined : await readList(list, new Set(files));
  const wanted = files.map((_, index) => index).filter((i) => !chosen || chosen.has(files[i]));
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

/** The names in a list; `InputError` for one that is not among the files. */
async function readList(list: string, files: Set<string>): Promise<Set<string>> {
  const text = await readFile(list, "utf8").catch((error) => {
    throw new InputError(`${list}: this list cannot be read (${error.code}).`);
  });
  const names = text.split(/\r?\n/).map((line) => line.trim().replaceAll("\\", "/"));
  const wanted = names.filter((name) => name !== "" && !name.startsWith("#"));
  const unknown = wanted.find((name) => !files.has(name));
  if (unknown !== undefined) {
    throw new InputError(
      `${list}: there is no character "${unknown}" below the input folder; name files by their paths in it.`,
    );
  }
  if (wanted.length === 0) throw new InputError(`${list}: no file is named in this list.`);
  return new Set(wanted);
}

/** Paths of the files below a folder, in a fixed order. */
async function filesBelow(folder: string, except: string, below = ""): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => {
    throw new InputError(`${path.join(folder, below)}: this folder cannot be read.`);
  });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below ? `${below}/${entry.name}` : entry.name;
    const place = path.resolve(folder, name);
    if (entry.name.startsWith(".") || place === except) continue;
    // A link may lead to a file; one to a folder could lead in a circle.
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, except, name)));
    else if ((await stat(place).catch(() => undefined))?.isFile()) found.push(name);
  }
  return found;
}

/** Where each file's output goes; no two the same, even where upper and lower case are one. */
function outputNames(files: string[], kept: RegExp): string[] {
  const outputEnding = (file: string) => kept.exec(file)?.[0].toLowerCase() ?? ".glb";
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

/** One part of a batch that several machines share. */
export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

/** Reads `2/8`; `InputError` for anything else. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count)) {
    throw new InputError(
      `"${text}" is no shard; give its number and how many there are: 2/8 is the second of eight.`,
    );
  }
  return shard;
}

/** Whose a file is, by its name alone: all machines agree without talking, whatever else is in the folder. */
export function isInShard(file: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(file).digest().readUInt32BE(0) % count === index - 1;
}

/** What a shard's journal, lock and summary have in their names; nothing where there are no shards. */
export function shardMark(shard: Shard | undefined): string {
  return shard ? `.${shard.index}-of-${shard.count}` : "";
}
