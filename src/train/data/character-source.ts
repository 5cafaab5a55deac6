import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Character } from "../../character/character.ts";
import { endingOf, RIGGED_ENDINGS } from "../../formats/endings.ts";
import { InputError } from "../../input-error.ts";
import { createRandom } from "../../math/random.ts";
import { readCharacterTable } from "./character-table.ts";
import { openPack, type Pack } from "./pack.ts";

/** Where one character can be read, told in plain data so that a worker can be told too. */
export interface CharacterSource {
  name: string;
  split: string;
  /** The file of the character, or the pack it is in. */
  path: string;
  /** Its place in the pack; -1 for a file of its own. */
  index: number;
  /** Bytes or vertices, to start the large ones first. */
  size: number;
}

/** Which characters to take. */
export interface SourceOptions {
  /** Path of a table with the columns `id` and `split`. */
  list?: string | undefined;
  /** Splits to take; all unless told. */
  splits?: string[] | undefined;
}

/** Without a table, one character in this many is kept for validation. */
const HELD_OUT = 8;

/**
 * The characters of a folder of rigged files, or of a pack, by name.
 *
 * A table gives the splits; without one a pack has those it was made with, and of a folder a fixed eighth of
 * the files (by their names) is `val`, the rest `train`.
 */
export function characterSources(from: string, options: SourceOptions = {}): CharacterSource[] {
  if (!existsSync(from)) throw new InputError(`${from} does not exist.`);
  const all = statSync(from).isDirectory()
    ? folderSources(from, options.list)
    : packSources(from, options.list);
  const taken = all.filter(({ split }) => !options.splits || options.splits.includes(split));
  if (taken.length === 0) {
    const what = options.splits ? ` of the split ${options.splits.join(" or ")}` : "";
    throw new InputError(`${from} holds no characters${what}.`);
  }
  return taken.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a character; packs stay open for the next. */
export async function readSource(source: CharacterSource): Promise<Character> {
  if (source.index >= 0) return openedPack(source.path).read(source.index);
  // Loaded when needed: a machine that trains from a pack need not have the readers.
  const { readCharacterFile } = await import("../../disk/character-files.ts");
  return (await readCharacterFile(source.path)).character;
}

function folderSources(folder: string, list?: string): CharacterSource[] {
  const files = readdirSync(folder)
    .filter((file) => RIGGED_ENDINGS.includes(endingOf(file)))
    .sort();
  const splits = list ? readSplits(list) : heldOutSplits(files.map(nameOf));
  return files.flatMap((file) => {
    const [name, place] = [nameOf(file), path.join(folder, file)];
    const split = splits.get(name);
    if (split === undefined) return [];
    return [{ name, split, path: place, index: -1, size: statSync(place).size }];
  });
}

function nameOf(file: string): string {
  return path.basename(file, path.extname(file));
}

export function readSplits(list: string): Map<string, string | undefined> {
  if (!existsSync(list)) throw new InputError(`${list} does not exist.`);
  const rows = readCharacterTable(readFileSync(list, "utf8"), list, true);
  return new Map(rows.map(({ id, split }) => [id, split]));
}

/** The names with the lowest hashes are held out, so that adding a file hardly moves the others. */
function heldOutSplits(names: string[]): Map<string, string> {
  const hash = (name: string): number => createRandom(name)();
  const byHash = [...names].sort((a, b) => hash(a) - hash(b));
  const held = new Set(byHash.slice(0, Math.floor(names.length / HELD_OUT)));
  return new Map(names.map((name) => [name, held.has(name) ? "val" : "train"]));
}

function packSources(file: string, list?: string): CharacterSource[] {
  const splits = list ? readSplits(list) : undefined;
  return openedPack(file).entries.flatMap(({ name, split: packed, vertices }, index) => {
    const split = splits ? splits.get(name) : packed;
    return split === undefined ? [] : [{ name, split, path: file, index, size: vertices }];
  });
}

let opened: { path: string; pack: Pack } | undefined;

function openedPack(file: string): Pack {
  if (opened?.path !== file) {
    opened = { path: file, pack: openPack(new Uint8Array(readFileSync(file)), file) };
  }
  return opened.pack;
}
