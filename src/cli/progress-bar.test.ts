import { describe, expect, test } from "vitest";
import { createProgressBar } from "./progress-bar.ts";

function terminal(isTTY: boolean, columns = 60) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe("createProgressBar", () => {
  test("is silent in a pipe", () => {
    const pipe = terminal(false);
    const bar = createProgressBar(pipe);
    bar.update("read", 0.5);
    bar.clear();
    expect(pipe.written).toEqual([]);
  });

  test("draws a line that fits, and erases it", () => {
    const screen = terminal(true, 24);
    const bar = createProgressBar(screen);
    bar.update("distances", 0.5);
    bar.update("a stage with a long name", Number.NaN);
    bar.clear();
    for (const text of screen.written) {
      expect(text.replace("\r\x1b[K", "").length).toBeLessThan(24);
    }
    expect(screen.written[0]).toContain("50%");
    expect(screen.written.at(-1)).toBe("\r\x1b[K");
  });

  test("limits the rate of drawing", () => {
    const screen = terminal(true);
    const bar = createProgressBar(screen);
    for (let i = 0; i <= 10_000; i++) bar.update("heat", i / 10_000);
    expect(screen.written.length).toBeLessThan(100);
  });
});
