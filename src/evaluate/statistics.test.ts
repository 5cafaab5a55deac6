import { describe, expect, test } from "vitest";
import { createRandom, normal } from "../math/random.ts";
import { boxSummary } from "./report/plots.ts";
import {
  bootstrapInterval,
  fTail,
  incompleteBeta,
  logGamma,
  oneWayAnova,
  quantile,
} from "./statistics.ts";

describe("fTail", () => {
  test.each([
    // Critical values as statistical tables print them: f, d1, d2, tail.
    [4.9646, 1, 10, 0.05],
    [4.1028, 2, 10, 0.05],
    [2.1646, 10, 30, 0.05],
    [4.1027, 5, 20, 0.01],
    [3.9361, 1, 100, 0.05],
    [6.8953, 1, 100, 0.01],
    [161.4476, 1, 1, 0.05],
  ])("F = %f with %i and %i degrees of freedom has the tail %f of the tables", (f, d1, d2, p) => {
    expect(fTail(f, d1, d2)).toBeCloseTo(p, 5);
  });

  test.each([
    // The paper's tests: 100 characters, two methods.
    [4.5259, 0.0346],
    [12.0506, 0.0006],
    [4.0373, 0.0458],
  ])("F = %f over 2 × 100 characters yields the paper's p = %f", (f, p) => {
    expect(fTail(f, 1, 198)).toBeCloseTo(p, 3);
  });

  test("equals the closed forms for 2 and d, and for 1 and 1 degrees of freedom", () => {
    for (const f of [0.01, 0.5, 1, 3, 20, 500]) {
      for (const d of [1, 2, 7, 60, 1000]) {
        expect(fTail(f, 2, d) / (1 + (2 * f) / d) ** (-d / 2)).toBeCloseTo(1, 9);
      }
      expect(fTail(f, 1, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(Math.sqrt(f)), 12);
    }
  });

  test("runs from 1 to 0", () => {
    expect(fTail(0, 3, 9)).toBe(1);
    expect(fTail(Number.POSITIVE_INFINITY, 3, 9)).toBe(0);
    expect(() => fTail(1, 0, 9)).toThrow("fTail: degrees of freedom must be above 0");
  });
});

describe("incompleteBeta and logGamma", () => {
  test("agrees with a plain numerical integral", () => {
    const integral = (x: number, a: number, b: number) => {
      const n = 20000;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const t = ((i + 0.5) / n) * x;
        sum += t ** (a - 1) * (1 - t) ** (b - 1);
      }
      return (sum * x) / n;
    };
    for (const [x, a, b] of [
      [0.3, 2, 5],
      [0.8, 3.5, 1.5],
      [0.5, 10, 10],
      [0.05, 1, 40],
    ]) {
      expect(incompleteBeta(x, a, b)).toBeCloseTo(integral(x, a, b) / integral(1, a, b), 5);
    }
  });

  test("is the logarithm of factorials and of the square root of pi", () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12);
    expect(logGamma(11)).toBeCloseTo(Math.log(3628800), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(1)).toBeCloseTo(0, 12);
  });
});

describe("oneWayAnova", () => {
  test("equals a case worked by hand", () => {
    // Means 5, 9, 10 about 8; between 6 (9 + 1 + 4) = 84, within 16 + 24 + 28 = 68.
    const { f, p, between, within } = oneWayAnova([
      [6, 8, 4, 5, 3, 4],
      [8, 12, 9, 11, 6, 8],
      [13, 9, 11, 8, 7, 12],
    ]);
    expect([between, within]).toEqual([2, 15]);
    expect(f).toBeCloseTo(84 / 2 / (68 / 15), 12);
    expect(p).toBeCloseTo((1 + (2 * f) / 15) ** -7.5, 10);
  });

  test("finds nothing in groups of one mean, and refuses groups it cannot test", () => {
    const { f, p } = oneWayAnova([
      [1, 2, 3],
      [3, 2, 1],
    ]);
    expect([f, p]).toEqual([0, 1]);
    expect(() => oneWayAnova([[1], [2]])).toThrow("oneWayAnova: needs two groups");
  });
});

describe("bootstrapInterval", () => {
  const random = createRandom(5);
  const values = Array.from({ length: 100 }, () => 3 + normal(random));

  test("is reproducible and covers about two standard errors around the mean", () => {
    const [low, high] = bootstrapInterval(values);
    expect(bootstrapInterval(values)).toEqual([low, high]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    const error = Math.sqrt(variance / values.length);
    expect(low).toBeCloseTo(mean - 1.96 * error, 1);
    expect(high).toBeCloseTo(mean + 1.96 * error, 1);
    expect((high - low) / (2 * 1.96 * error)).toBeGreaterThan(0.9);
    expect((high - low) / (2 * 1.96 * error)).toBeLessThan(1.1);
  });

  test("is a point for equal values and empty for none", () => {
    expect(bootstrapInterval([2, 2, 2])).toEqual([2, 2]);
    expect(bootstrapInterval([])).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("quantile", () => {
  test("is linear between neighbors", () => {
    expect(quantile([1, 2, 4], 0.5)).toBe(2);
    expect(quantile([1, 2, 4], 0.75)).toBe(3);
    expect(quantile([7], 0.9)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe("summarise", () => {
  test("a box summarizes its group, by hand", () => {
    const summary = boxSummary([1, 2, 3, 4, 5, 6, 7, 8, 30, Number.NaN])!;
    expect(summary).toMatchObject({ low: 1, lower: 3, median: 5, upper: 7, high: 8 });
    expect(summary.outliers).toEqual([30]);
    expect(summary.mean).toBeCloseTo(66 / 9, 12);
    expect(boxSummary([Number.NaN])).toBeUndefined();
  });
});
