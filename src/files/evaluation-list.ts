import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { readPlainFile } from "../disk/open-input.ts";
import { ENDINGS, endingOf } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";
import { readCharacterTable } from "../train/data/character-table.ts";

/** A character to evaluate. */
export interface ListedCharacter {
  id: string;
  file: string;
}

/** Options for {@link listCharacters}. */
export interface ListOptions {
  /** A table with the columns `id` and `split`, tab or comma separated. */
  list?: string | undefined;
  /** Rows of the table to use; all by default. */
  split?: string | undefined;
}

/** Default names of the table and of the subfolder with the files. */
export const TABLE = "characters.tsv";
const FOLDER = "characters";

/**
 * Lists the characters among files and folders, sorted by name within each folder.
 *
 * With a table, or with a split and a folder that has a `characters.tsv`, lists `<folder>/<id>.glb` or
 * `<folder>/characters/<id>.glb` of the table's rows, in their order.
 */
export async function listCharacters(
  inputs: string[],
  options: ListOptions = {},
): Promise<ListedCharacter[]> {
  if (inputs.length === 0) {
    throw new InputError("Nothing to evaluate; name a folder or files with painted weights.");
  }
  const found: ListedCharacter[] = [];
  for (const input of inputs) {
    const info = await stat(input).catch(() => undefined);
    if (!info) throw new InputError(`${input}: no such file or folder.`);
    if (!info.isDirectory()) found.push({ id: baseName(input), file: input });
    else found.push(...(await listFolder(input, options)));
  }
  if (found.length === 0) {
    throw new InputError(
      `No characters in ${inputs.join(", ")}; expected ${ENDINGS.join(", ")} files.`,
    );
  }
  // Ids that occur more than once are replaced by paths, so that each row is unique.
  const counts = new Map<string, number>();
  for (const { id } of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  return found.map(({ id, file }) => ({ id: counts.get(id) === 1 ? id : file, file }));
}

async function listFolder(folder: string, { list, split }: ListOptions) {
  const table = list ?? (split ? path.join(folder, TABLE) : undefined);
  if (table) return listTable(folder, table, split);
  const direct = await characterFiles(folder);
  return direct.length > 0 ? direct : characterFiles(path.join(folder, FOLDER));
}

async function listTable(
  folder: string,
  table: string,
  split: string | undefined,
): Promise<ListedCharacter[]> {
  const bytes = await readPlainFile(table).catch(() => {
    throw new InputError(`${table}: cannot be read; use a table with the columns id and split.`);
  });
  const text = new TextDecoder().decode(bytes);
  const ids = readTable(text, table, split);
  const files = new Map<string, string>();
  for (const source of [path.join(folder, FOLDER), folder]) {
    for (const { id, file } of await characterFiles(source)) files.set(id, file);
  }
  // A missing file stays in the list, so that the result reports it.
  return ids.map((id) => ({ id, file: files.get(id) ?? path.join(folder, `${id}.glb`) }));
}

/** Returns the ids of a table, or of one split of it. */
export function readTable(text: string, name: string, split?: string): string[] {
  const rows = readCharacterTable(text, name, split !== undefined);
  const chosen = rows.filter((row) => split === undefined || row.split === split);
  if (chosen.length === 0 && split !== undefined) {
    const known = [...new Set(rows.map((row) => row.split))].join(", ");
    throw new InputError(`${name}: no row has the split "${split}"; choose one of ${known}.`);
  }
  return chosen.map(({ id }) => id);
}

async function characterFiles(folder: string): Promise<ListedCharacter[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => ENDINGS.includes(endingOf(name)))
    .sort()
    .map((name) => ({ id: baseName(name), file: path.join(folder, name) }));
}

function baseName(file: string): string {
  return path.basename(file, path.extname(file));
}
