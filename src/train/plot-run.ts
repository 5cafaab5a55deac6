import { lineChart } from "../picture/line-chart.ts";
import type { Picture } from "../picture/picture.ts";
import { pictureGrid } from "../picture/picture-grid.ts";
import type { LogEntry } from "./run-log.ts";
import type { ValidationScore } from "./validate.ts";

/** Draws a run's log: the loss, and the L1 score and the distance on the validation characters. */
export function plotRun(log: LogEntry[]): Picture {
  const losses = log.filter((entry) => "loss" in entry) as { step: number; loss: number }[];
  const scored = (log.filter((entry) => "val" in entry) as { step: number; val: ValidationScore }[])
    // Scores come in while steps go on.
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
