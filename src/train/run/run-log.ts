import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { linePlot, svgFile } from "../../evaluate/report/line-plot.ts";
import type { ValidationScore } from "./validate.ts";

export type LogEntry = Record<string, unknown>;

/** A log of JSON lines that can be truncated to a checkpoint. */
export interface RunLog {
  write(entry: LogEntry): void;
  /** Bytes written, stored in checkpoints. */
  length(): number;
}

/**
 * Opens a log for appending.
 *
 * @param length bytes to keep; later lines were written after the last checkpoint and will be
 *   repeated
 */
export function openRunLog(path: string, length: number): RunLog {
  if (existsSync(path) && statSync(path).size > length) truncateSync(path, length);
  return {
    write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
    length: () => (existsSync(path) ? statSync(path).size : 0),
  };
}

/** Reads the entries of a log; an incomplete last line is ignored. */
export function readRunLog(path: string): LogEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
}

/** Plots the loss, and the L1 and distance of the validation characters. */
export function plotRun(log: LogEntry[]): Picture {
  const losses = log.filter((entry) => "loss" in entry) as { step: number; loss: number }[];
  const scored = (log.filter((entry) => "val" in entry) as { step: number; val: ValidationScore }[])
    // Scores are logged out of order.
    .sort((a, b) => a.step - b.step);
  const chart = (title: string, steps: number[], values: number[], yLog = false): Picture =>
    lineChart([{ name: title, x: steps, y: values }], { title, xLabel: "step", yLog });
  const steps = scored.map(({ step }) => step);
  const scores = (metric: keyof ValidationScore): number[] => scored.map(({ val }) => val[metric]);
  const lossSteps = losses.map(({ step }) => step);
  const lossValues = losses.map(({ loss }) => loss);
  const isPositive = lossValues.every((loss) => loss > 0);
  const panels = [chart("loss", lossSteps, lossValues, isPositive)];
  if (scored.length > 0) {
    plots.push(plot("L1 on val", scores("l1")), plot("distance on val", scores("distance")));
  }
  return svgFile(plots);
}
