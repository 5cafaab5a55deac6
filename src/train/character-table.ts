import { InputError } from "../input-error.ts";

/** A table, tab or comma separated, whose first line names its columns. */
export function tableRows(text: string): { columns: string[]; rows: string[][] } {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  const separator = lines[0]?.includes("\t") ? "\t" : ",";
  const [columns = [""], ...rows] = lines.map((line) => line.split(separator));
  return { columns, rows };
}

/**
 * The characters of a table, in its order.
 *
 * @param name of the table, for messages
 * @param needsSplit whether the column `split` must be there
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
  return rows.map((row) => ({ id: row[id], split: row[split] }));
}
