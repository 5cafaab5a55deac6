import { InputError } from "../../input-error.ts";

/** Parses a table separated by tabs or commas, with a header. */
export function tableRows(text: string): { columns: string[]; rows: string[][] } {
  // Spreadsheets write a byte-order mark.
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  const separator = lines[0]?.includes("\t") ? "\t" : ",";
  const [columns = [""], ...rows] = lines.map((line) => line.split(separator));
  return { columns, rows };
}

/**
 * Returns the characters of a table in its order.
 *
 * @param name file name for errors
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
 * Throws `InputError` for a character name that is not a plain file name, because it becomes part
 * of paths.
 *
 * @param where source of the name, for errors
 */
export function checkId(id: unknown, where: string): string {
  // biome-ignore format: one line reads best
  const isPlain = typeof id === "string" && id !== "" && !/[/\\\0]/.test(id) && !/^\.{1,2}$/.test(id);
  if (isPlain) return id;
  throw new InputError(`${where}: ${JSON.stringify(id) ?? "nothing"} is not a character name.`);
}
