import { expect, test } from "vitest";
import { plotRun } from "./run-log.ts";

test("a log becomes one panel of losses, and two of scores if there are any", () => {
  const losses = [
    { step: 10, loss: 1.5 },
    { step: 20, loss: 0.9 },
  ];
  const val = { precision: 0.5, recall: 0.5, l1: 0.7, l1Raw: 0.7, distance: 0.01 };
  const panels = (svg: string) => svg.match(/class="plot"/g)?.length;
  expect(panels(plotRun(losses))).toBe(1);
  expect(panels(plotRun([...losses, { step: 20, epoch: 1, val }]))).toBe(3);
  expect(panels(plotRun([]))).toBe(1);
  expect(plotRun([...losses, { step: 30, loss: Number.NaN }])).not.toContain("NaN");
});
