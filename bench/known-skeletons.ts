import { readFileSync } from "node:fs";
import path from "node:path";
import { TABLE } from "../src/files/evaluate-folder.ts";
import { tableRows } from "../src/train/data/character-table.ts";

/** The scored characters whose skeleton, by joint names, is in the training set. */
export interface KnownSkeletons {
  known: string[];
  fresh: string[];
}

/**
 * Groups characters by the column `skeleton_group` of the folder's table; undefined without that column.
 *
 * @param ids the scored characters
 */
export function knownSkeletons(folder: string, ids: string[]): KnownSkeletons | undefined {
  const { columns, rows } = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
  const [id, split, group] = ["id", "split", "skeleton_group"].map((name) => columns.indexOf(name));
  if (group < 0) return undefined;
  const trained = new Set(rows.filter((row) => row[split] === "train").map((row) => row[group]));
  const groupOf = new Map(rows.map((row) => [row[id], row[group]]));
  const isKnown = (name: string): boolean => trained.has(groupOf.get(name) ?? "");
  return { known: ids.filter(isKnown), fresh: ids.filter((name) => !isKnown(name)) };
}

/**
 * Characters of a split by skeleton, for skeletons that are not in the training set and that at least two of them
 * share.
 */
export function freshGroups(folder: string, split: string): Map<string, string[]> {
  const { columns, rows } = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
  const [id, part, group] = ["id", "split", "skeleton_group"].map((name) => columns.indexOf(name));
  const trained = new Set(rows.filter((row) => row[part] === "train").map((row) => row[group]));
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    if (row[part] !== split || trained.has(row[group])) continue;
    groups.set(row[group], [...(groups.get(row[group]) ?? []), row[id]]);
  }
  return new Map([...groups].filter(([, ids]) => ids.length > 1));
}
