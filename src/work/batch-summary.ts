import { csvCell } from "../evaluate/csv-cell.ts";
import type { BatchRow } from "./batch-journal.ts";
import type { BindSettings } from "./bind-file.ts";
import { packageVersion } from "./package-root.ts";

/** What `summary.json` holds; described in docs/report.md. */
export interface BatchSummary {
  heterskin: string;
  /** The options the files were bound with. */
  options: BindSettings;
  files: number;
  done: number;
  failed: number;
  /** By name. */
  rows: BatchRow[];
}

/** Sums up a batch; rows in the order of their names, whatever the order they were done in. */
export function summarizeBatch(rows: BatchRow[], options: BindSettings): BatchSummary {
  const sorted = rows.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const done = rows.filter((row) => row.status === "done").length;
  return {
    heterskin: packageVersion(),
    options,
    files: rows.length,
    done,
    failed: rows.length - done,
    rows: sorted,
  };
}

const COLUMNS = [
  ...["file", "output", "status", "vertices", "triangles", "joints", "doubtful", "bleed"],
  ...["seconds", "error", "warnings"],
] as const;

/** The same as a table, a line per file. */
export function batchCsv({ rows }: BatchSummary): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
}

function cell(value: string | number | string[] | undefined): string {
  if (value === undefined) return "";
  return csvCell(Array.isArray(value) ? value.join(" ") : value);
}
