import { csvCell } from "../csv-cell.ts";
import { escapeHtml } from "../evaluate/report/html.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { packageVersion } from "../files/package-root.ts";
import type { BatchRow } from "./journal.ts";

/** The contents of `summary.json`; see docs/report.md. */
export interface BatchSummary {
  heterskin: string;
  options: BindSettings;
  files: number;
  done: number;
  failed: number;
  /**
   * Doubt from which `summary.html` shows a character; it also shows those whose poses show a fault. Absent
   * without a page.
   */
  attention?: number | undefined;
  attentive: number;
  /** Failed files by name, then the others by descending doubt. */
  rows: BatchRow[];
}

/** Summarizes a batch; the order of the result does not depend on the order of `rows`. */
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
    attentive: rows.filter((row) => needsReview(row, attention ?? ATTENTION)).length,
    rows: sorted,
  };
}

/** Returns the files of a summary by their endings: JSON, a table and, with `attention`, a page. */
export function summaryTexts(summary: BatchSummary): Record<string, string> {
  const { rows, attention } = summary;
  return {
    json: `${JSON.stringify(summary, null, 1)}\n`,
    csv: `${[COLUMNS.join(","), ...rows.map(csvLine)].join("\n")}\n`,
    ...(attention !== undefined && { html: contactSheet(rows, attention) }),
  };
}

const COLUMNS = [
  "file",
  "output",
  "status",
  "vertices",
  "triangles",
  "joints",
  "doubt",
  "doubtful",
  "bleed",
  "findings",
  "seconds",
  "error",
  "warnings",
] as const;

function csvLine(row: BatchRow): string {
  const cells = COLUMNS.map((column) => row[column] ?? "");
  return cells.map((cell) => csvCell(Array.isArray(cell) ? cell.join(" ") : cell)).join(",");
}

/** Expected L1 from which a character needs review: about one validation character in five. */
export const ATTENTION = 0.6;

/**
 * Creates a page with the characters to review, the most doubtful first, each with its picture and with
 * what its poses show.
 */
function contactSheet(rows: BatchRow[], attention: number): string {
  const failed = rows.filter(({ status }) => status === "failed");
  const failures = failed.map(
    ({ file, error = "" }) => `<li><strong>${escapeHtml(file)}</strong>: ${escapeHtml(error)}</li>`,
  );
  const shown = rows.filter((row) => needsReview(row, attention));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${shown.length} of ${rows.length} characters to review</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; background: #fafafa; color: #222 }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1rem }
  figure { margin: 0; background: #fff; border: 1px solid #ddd; border-radius: 6px; padding: .75rem }
  img { width: 100% }
  figcaption { overflow-wrap: anywhere }
  figcaption ul { margin: .25rem 0 0; padding-left: 1.1rem; font-size: .85rem; color: #b3261e }
  small { color: #555 }
</style>
<h1>${shown.length} of ${rows.length} characters to review</h1>
<p>Characters whose weights are expected to differ from an artist's by an L1 of ${attention} or more, or whose poses show a fault; the most doubtful first.</p>
<main>
${shown.map(figure).join("\n")}
</main>
${failed.length > 0 ? `<h2>${failed.length} not bound</h2>\n<ul>\n${failures.join("\n")}\n</ul>\n` : ""}</html>
`;
}

function needsReview({ status, doubt = 0, findings = [] }: BatchRow, attention: number): boolean {
  return status === "done" && (doubt >= attention || findings.length > 0);
}

function figure(row: BatchRow): string {
  const { file, output, doubt, doubtful, vertices, joints, findings = [] } = row;
  const picture = `${output.split("/").map(encodeURIComponent).join("/")}.png`;
  const name = escapeHtml(file);
  const items = findings.map((text) => `<li>${escapeHtml(text)}</li>`).join("");
  const list = items && `<ul>${items}</ul>`;
  return `<figure><img src="${picture}" alt="${name} with its weights" loading="lazy"><figcaption><strong>${name}</strong><br><small>doubt ${doubt?.toFixed(2)}; ${vertices} vertices, ${joints} joints, ${doubtful} doubtful vertices</small>${list}</figcaption></figure>`;
}
