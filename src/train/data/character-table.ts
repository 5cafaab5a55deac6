import { InputError } from "../../input-error.ts";

/** Parses a table, tab or comma separated, whose first line names its columns. */
export function tableRows(text: string): { columns: string[]; rows: string[][] } {
  // Spreadsheets may add a byte-order mark.
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  const separator = lines[0]?.includes("\t") ? "\t" : ",";
  const [columns = [""], ...rows] = lines.map((line) => line.split(separator));
  return { columns, rows };
}

/**
 * Reads the characters of a table, in its order.
 *
 * @param name of the table, for messages
 * @param needsSplit whether the column `split` is required
 */
export function readCharacterTable(
  text: string,
  name: string,
  needsSplit: boolean,
): { id: string; split: string | undefined }[] {
  const { columns, rows } = tableRows(text);
  const [id, split] = [columns.indexOf("id"), columns.indexOf("split")];
  if (id < 0 || (needsSplit && split < 0)) {
    throw new InputError(`${name}: the first line must name the columns id and split.`);
  }
  return rows.map((row) => ({ id: checkId(row[id], name), split: row[split] }));
}

/**
 * Rejects the name of a character that would lead out of a folder, since it becomes part of paths.
 *
 * @param where it was found, for messages
 */
export function checkId(id: unknown, where: string): string {
  // biome-ignore format: one line reads best
  const isPlain = typeof id === "string" && id !== "" && !/[/\\\0]/.test(id) && !/^\.{1,2}$/.test(id);
  if (isPlain) return id;
  throw new InputError(
    `${where}: ${JSON.stringify(id) ?? "nothing"} is not a valid character name.`,
  );
}
