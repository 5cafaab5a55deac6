import { describe, expect, test } from "vitest";
import { createRandom, normal } from "../math/random.ts";
import { linearTicks, lineChart, logTicks, rangeOf, SERIES_COLORS, tickText } from "./chart.ts";
import type { Color, Picture } from "./picture.ts";

/** The columns and rows in which a color occurs. */
function extent({ width, pixels }: Picture, color: Color) {
  const found = { left: Infinity, right: -1, top: Infinity, bottom: -1, count: 0 };
  for (let i = 0; i < pixels.length; i += 4) {
    if (color.some((value, k) => pixels[i + k] !== value)) continue;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    found.left = Math.min(found.left, x);
    found.right = Math.max(found.right, x);
    found.top = Math.min(found.top, y);
    found.bottom = Math.max(found.bottom, y);
    found.count++;
  }
  return found;
}

describe("ticks", () => {
  test("are round, ascending and within the range", () => {
    expect(linearTicks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linearTicks(-0.3, 0.31)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
    expect(linearTicks(3, 3)).toEqual([3]);
    expect(logTicks(0.01, 1000)).toEqual([0.01, 0.1, 1, 10, 100, 1000]);
    const random = createRandom(4);
    for (let i = 0; i < 100; i++) {
      const low = normal(random) * 100;
      const high = low + 10 ** (random() * 8 - 4);
      const ticks = linearTicks(low, high);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(9);
      expect(ticks[0]).toBeGreaterThanOrEqual(low - 1e-6 * (high - low));
      expect(ticks[ticks.length - 1]).toBeLessThanOrEqual(high + 1e-6 * (high - low));
    }
  });

  test("are written short", () => {
    expect([0, 0.25, -3, 1200, 15000, 2.5e6, 2e-5].map(tickText)).toEqual([
      "0",
      "0.25",
      "-3",
      "1200",
      "15k",
      "2.5M",
      "2e-5",
    ]);
  });
});

describe("charts", () => {
  test("a line runs from its lowest to its highest value, and holes stay open", () => {
    const chart = (y: number[]) => lineChart([{ name: "a", x: [0, 5, 10], y }]);
    const rising = extent(chart([0, 0.5, 1]), SERIES_COLORS[0]);
    expect(rising.right - rising.left).toBeGreaterThan(580);
    expect(rising.bottom - rising.top).toBeGreaterThan(350);
    const half = extent(chart([0, 0.5, Number.NaN]), SERIES_COLORS[0]);
    expect(Math.abs((half.right - half.left) / (rising.right - rising.left) - 0.5)).toBeLessThan(
      0.02,
    );
  });

  test("ranges hold all values and survive strange data", () => {
    expect(rangeOf([])).toEqual([0, 1]);
    const [low, high] = rangeOf([3, 3]);
    expect(low < 3 && high > 3).toBe(true);
    expect(rangeOf([-1, 0, 10], true)).toEqual([5, 20]);
    for (const values of [[], [1], [Number.NaN], [5, 5, 5]]) {
      expect(lineChart([{ name: "x", x: values, y: values }]).width).toBe(720);
    }
  });
});
