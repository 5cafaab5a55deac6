import { describe, expect, test } from "vitest";
import { boneColor, colorMap, errorColor, fromLinear, heatColor, toLinear } from "./color-maps.ts";

describe("color maps", () => {
  test("pass through their anchors and stop at their ends", () => {
    const map = colorMap([
      [0, [10, 20, 30]],
      [0.5, [200, 100, 50]],
      [1, [250, 250, 0]],
    ]);
    expect(map(0)).toEqual([10, 20, 30]);
    expect(map(0.5)).toEqual([200, 100, 50]);
    expect(map(1)).toEqual([250, 250, 0]);
    expect(map(-3)).toEqual(map(0));
    expect(map(7)).toEqual(map(1));
    expect(map(Number.NaN)).toEqual(map(0));
  });

  test("change without jumps", () => {
    for (const map of [heatColor, errorColor]) {
      for (let i = 0; i < 500; i++) {
        const [a, b] = [map(i / 500), map((i + 1) / 500)];
        for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(14);
      }
    }
  });

  test("larger errors are darker", () => {
    const lightness = (t: number) => errorColor(t).reduce((sum, c) => sum + toLinear(c), 0);
    for (let i = 0; i < 20; i++) expect(lightness(i / 20)).toBeGreaterThan(lightness((i + 1) / 20));
  });

  test("consecutive bones have clearly different colors", () => {
    for (let bone = 0; bone < 200; bone++) {
      for (const other of [bone + 1, bone + 2, bone + 3]) {
        const [a, b] = [boneColor(bone), boneColor(other)];
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(50);
      }
    }
  });

  test("linear light and channel values are inverse", () => {
    for (let c = 0; c < 256; c += 5) expect(fromLinear(toLinear(c))).toBeCloseTo(c, 9);
  });
});
