import { csvCell } from "../evaluate/csv-cell.ts";
import type { BatchRow } from "./batch-journal.ts";
import type { BindSettings } from "./bind-file.ts";
import { ATTENTION, contactSheet, wantsAttention } from "./contact-sheet.ts";
import { packageVersion } from "./package-root.ts";

/** What `summary.json` holds; described in docs/report.md. */
export interface BatchSummary {
  heterskin: string;
  /** The options the files were bound with. */
  options: BindSettings;
  files: number;
  done: number;
  failed: number;
  /** The score from which on a page shows characters, where there is one. */
  attention?: number | undefined;
  /** How many want attention. */
  attentive: number;
  /** What could not be bound, by name; then the most doubtful first. */
  rows: BatchRow[];
}

/** Sums up a batch; the order of rows does not hang on the order they were done in. */
export function summarizeBatch(
  rows: BatchRow[],
  options: BindSettings,
  attention?: number,
): BatchSummary {
  const rank = ({ status, doubt = 0 }: BatchRow) => (status === "failed" ? Infinity : doubt);
  const byName = (a: BatchRow, b: BatchRow) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0);
  const sorted = rows.toSorted((a, b) => (rank(a) === rank(b) ? byName(a, b) : rank(b) - rank(a)));
  const done = rows.filter((row) => row.status === "done").length;
  return {
    heterskin: packageVersion(),
    options,
    files: rows.length,
    done,
    failed: rows.length - done,
    attention,
    attentive: rows.filter((row) => wantsAttention(row, attention ?? ATTENTION)).length,
    rows: sorted,
  };
}

/** The files of a summary by their endings: JSON, a table and, where attention was asked for, a page. */
export function summaryTexts(summary: BatchSummary): Record<string, string> {
  const { rows, attention } = summary;
  return {
    json: `${JSON.stringify(summary, null, 1)}\n`,
    csv: batchCsv(summary),
    ...(attention !== undefined && { html: contactSheet(rows, attention) }),
  };
}

const COLUMNS = [
  ...["file", "output", "status", "vertices", "triangles", "joints", "doubt", "doubtful", "bleed"],
  ...["seconds", "error", "warnings"],
] as const;

/** A summary as a table, a line per file. */
function batchCsv({ rows }: BatchSummary): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
}

function cell(value: string | number | string[] | undefined): string {
  if (value === undefined) return "";
  return csvCell(Array.isArray(value) ? value.join(" ") : value);
}
