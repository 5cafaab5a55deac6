import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { linePlot, svgFile } from "../../evaluate/report/plots.ts";
import type { ValidationScore } from "./validate.ts";

/** One line of a run's log. */
export type LogEntry = Record<string, unknown>;

/** A log of one JSON object per line, which can be taken back to where a checkpoint was made. */
export interface RunLog {
  write(entry: LogEntry): void;
  /** Bytes so far; a checkpoint keeps this. */
  length(): number;
}

/**
 * Opens a log for appending.
 *
 * @param length bytes to keep of what is there; the rest was written by a run that was cut off after
 *   its last checkpoint, and will be written again
 */
export function openRunLog(path: string, length: number): RunLog {
  if (existsSync(path) && statSync(path).size > length) truncateSync(path, length);
  return {
    write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
    length: () => (existsSync(path) ? statSync(path).size : 0),
  };
}

/** All entries of a log; a last line cut short by a crash is left out. */
export function readRunLog(path: string): LogEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
}

/** Draws a run's log as SVG: the loss, and the L1 score and the distance on the validation characters. */
export function plotRun(log: LogEntry[]): string {
  const losses = log.filter((entry) => "loss" in entry) as { step: number; loss: number }[];
  const scored = (log.filter((entry) => "val" in entry) as { step: number; val: ValidationScore }[])
    // Validation runs beside training, so scores arrive late.
    .sort((a, b) => a.step - b.step);
  const plot = (title: string, points: [step: number, value: number][]): string => {
    const known = points.filter(([, value]) => Number.isFinite(value));
    const steps = known.map(([step]) => step);
    return linePlot(title, "step", steps, [{ label: title, values: known.map(([, y]) => y) }]);
  };
  const scores = (metric: "l1" | "distance"): [number, number][] =>
    scored.map(({ step, val }) => [step, val[metric]]);
  const plots = [
    plot(
      "loss",
      losses.map(({ step, loss }) => [step, loss]),
    ),
  ];
  if (scored.length > 0) {
    plots.push(plot("L1 on val", scores("l1")), plot("distance on val", scores("distance")));
  }
  return svgFile(plots);
}
