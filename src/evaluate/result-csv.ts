import { csvCell } from "./csv-cell.ts";
import type { Evaluation } from "./evaluation.ts";
import { columnName, METRICS } from "./summary.ts";

/** The result as comma-separated lines, one per character and method, with a header. */
export function resultCsv(evaluation: Evaluation): string {
  const header = [
    "id",
    "vertices",
    "joints",
    "method",
    ...METRICS.map(columnName),
    "seconds",
    "error",
  ];
  const lines = evaluation.characters.flatMap(({ id, vertices, joints, results }) =>
    evaluation.methods.map((method) => {
      const result = results[method];
      const scores = METRICS.map((metric) => result?.score?.[metric] ?? "");
      return [id, vertices, joints, method, ...scores, result?.seconds || "", result?.error ?? ""];
    }),
  );
  return `${[header, ...lines].map((line) => line.map(csvCell).join(",")).join("\n")}\n`;
}
