import { describe, expect, test } from "vitest";
import { createRandom, normal } from "../../math/random.ts";
import { linearTicks, linePlot, svgFile } from "./plots.ts";

test("ticks are round, ascending and within the range", () => {
  expect(linearTicks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(linearTicks(-0.3, 0.31)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  expect(linearTicks(3, 3)).toEqual([3]);
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

describe("linePlot", () => {
  const xs = Array.from({ length: 200 }, (_, i) => i * 10);
  const points = (svg: string) =>
    /polyline points="([^"]*)"/
      .exec(svg)![1]
      .split(" ")
      .map((pair) => pair.split(",").map(Number));

  test("draws a line from the left to the right edge, highest where the value is", () => {
    const line = points(linePlot("a", "step", xs, [{ label: "x", values: xs }]));
    expect(line).toHaveLength(200);
    expect(line[199][0] - line[0][0]).toBeGreaterThan(300);
    expect(line[0][1] - line[199][1]).toBeGreaterThan(200);
  });

  test("has round ticks, and no dots for many values", () => {
    const svg = linePlot("a", "step", xs, [{ label: "x", values: xs }]);
    expect(svg).not.toContain("<circle");
    expect(svg.match(/text-anchor="middle"/g)!.length).toBeLessThan(12);
    expect(linePlot("a", "K", [1, 2], [{ label: "x", values: [0, 1] }])).toContain("<circle");
  });

  test("draws a single value, and none", () => {
    for (const x of [[], [3]]) {
      const svg = linePlot("a", "step", x, [{ label: "x", values: x }]);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

test("a file of plots has one SVG per plot, its own colors, and escapes its texts", () => {
  const plot = linePlot("a < b", "K", [1, 2], [{ label: "x & y", values: [0, 1] }]);
  const file = svgFile([plot, plot]);
  expect(file.match(/<svg/g)).toHaveLength(3);
  expect(file).toContain('xmlns="http://www.w3.org/2000/svg"');
  expect(file).toContain("a &lt; b");
  expect(file).toContain("x &amp; y");
  expect(file).toContain("<style>");
});
