import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Character } from "../../character/character.ts";
import { endingOf, RIGGED_ENDINGS } from "../../formats/endings.ts";
import { InputError } from "../../input-error.ts";
import { createRandom } from "../../math/random.ts";
import { readCharacterTable } from "./character-table.ts";
import { openPack, type Pack } from "./pack.ts";

/** The location of a character, as plain data for workers. */
export interface CharacterSource {
  name: string;
  split: string;
  /** Path of the character's file or of its pack. */
  path: string;
  /** Index in the pack; -1 for a separate file. */
  index: number;
  /** Bytes or vertices, to process large characters first. */
  size: number;
}

export interface SourceOptions {
  /** Path of a table with the columns `id` and `split`. */
  list?: string | undefined;
  /** Splits to include (default: all). */
  splits?: string[] | undefined;
}

/** Without a table, one in this many characters is used for validation. */
const HELD_OUT = 8;

/**
 * Lists the characters of a folder of rigged files, or of a pack, by name.
 *
 * A table defines the splits; otherwise a pack has its own, and a fixed eighth of a folder's files
 * (by name) is `val`, the rest `train`.
 */
export function characterSources(from: string, options: SourceOptions = {}): CharacterSource[] {
  if (!existsSync(from)) throw new InputError(`${from} does not exist.`);
  const all = statSync(from).isDirectory()
    ? folderSources(from, options.list)
    : packSources(from, options.list);
  const taken = all.filter(({ split }) => !options.splits || options.splits.includes(split));
  if (taken.length === 0) {
    const what = options.splits ? ` of the split ${options.splits.join(" or ")}` : "";
    throw new InputError(`${from} contains no characters${what}.`);
  }
  return taken.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a character; the last pack stays open. */
export async function readSource(source: CharacterSource): Promise<Character> {
  if (source.index >= 0) return openedPack(source.path).read(source.index);
  // Loaded on demand: training from a pack does not need the readers.
  const { readCharacterFile } = await import("../../disk/character-files.ts");
  return (await readCharacterFile(source.path)).character;
}

function folderSources(folder: string, list?: string): CharacterSource[] {
  const files = readdirSync(folder)
    .filter((file) => RIGGED_ENDINGS.includes(endingOf(file)))
    .sort();
  const splits = list ? readSplits(list) : heldOutSplits(files.map(nameOf));
  return files.flatMap((file) => {
    const [name, full] = [nameOf(file), path.join(folder, file)];
    const split = splits.get(name);
    if (split === undefined) return [];
    return [{ name, split, path: full, index: -1, size: statSync(full).size }];
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

/** Names with the lowest hashes are held out, so that a new file hardly changes the split. */
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
