import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { lineChart } from "../../picture/chart.ts";
import type { Picture } from "../../picture/picture.ts";
import { pictureGrid } from "../../picture/picture-grid.ts";
import type { ValidationScore } from "./validate.ts";

/** One line of a run's log. */
export type LogEntry = Record<string, unknown>;

/** A log of one JSON object per line that can be truncated to a checkpoint. */
export interface RunLog {
  write(entry: LogEntry): void;
  /** Bytes so far, stored in checkpoints. */
  length(): number;
}

/**
 * Opens a log for appending.
 *
 * @param length bytes to keep; the rest was written after the last checkpoint and will be written again
 */
export function openRunLog(path: string, length: number): RunLog {
  if (existsSync(path) && statSync(path).size > length) truncateSync(path, length);
  return {
    write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
    length: () => (existsSync(path) ? statSync(path).size : 0),
  };
}

/** Reads all entries of a log, except an incomplete last line. */
export function readRunLog(path: string): LogEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
}

/** Plots a run's log: the loss, and the L1 score and distance on the validation characters. */
export function plotRun(log: LogEntry[]): Picture {
  const losses = log.filter((entry) => "loss" in entry) as { step: number; loss: number }[];
  const scored = (log.filter((entry) => "val" in entry) as { step: number; val: ValidationScore }[])
    // Scores arrive while training continues.
    .sort((a, b) => a.step - b.step);
  const chart = (title: string, steps: number[], values: number[], yLog = false): Picture =>
    lineChart([{ name: title, x: steps, y: values }], { title, xLabel: "step", yLog });
  const steps = scored.map(({ step }) => step);
  const scores = (metric: keyof ValidationScore): number[] => scored.map(({ val }) => val[metric]);
  const lossSteps = losses.map(({ step }) => step);
  const lossValues = losses.map(({ loss }) => loss);
  const panels = [
    chart(
      "loss",
      lossSteps,
      lossValues,
      lossValues.every((loss) => loss > 0),
    ),
  ];
  if (scored.length > 0) {
    panels.push(chart("L1 on val", steps, scores("l1")));
    panels.push(chart("distance on val", steps, scores("distance")));
  }
  return pictureGrid(panels, panels.length);
}
