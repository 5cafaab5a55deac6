import { expect, test } from "vitest";
import { plotRun } from "./run-log.ts";

test("a log becomes one panel of losses, and two of scores where there are any", () => {
  const losses = [
    { step: 10, loss: 1.5 },
    { step: 20, loss: 0.9 },
  ];
  const val = { precision: 0.5, recall: 0.5, l1: 0.7, l1Raw: 0.7, distance: 0.01 };
  const one = plotRun(losses);
  const three = plotRun([...losses, { step: 20, epoch: 1, val }]);
  expect(three.height).toBe(one.height);
  expect(three.width).toBeGreaterThan(2.8 * one.width);
  expect(plotRun([]).width).toBe(one.width);
});
