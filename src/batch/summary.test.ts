import { expect, test } from "vitest";
import type { BatchRow } from "./journal.ts";
import { summarizeBatch, summaryTexts } from "./summary.ts";

const row = (file: string, doubt: number, findings: string[]): BatchRow => ({
  file,
  output: file,
  status: "done",
  doubt,
  findings,
  warnings: [],
  seconds: 1,
});

test("a character with a fault in a pose needs review, whatever its doubt", () => {
  const floats = "A loose part <b> opens a gap.";
  const summary = summarizeBatch(
    [row("sure.glb", 0.1, []), row("rose.glb", 0.2, [floats]), row("odd.glb", 0.8, [])],
    {},
    0.6,
  );
  expect(summary.attentive).toBe(2);
  const { html, csv, json } = summaryTexts(summary);
  expect([...html.matchAll(/alt="(\S+)/g)].map(([, name]) => name)).toEqual([
    "odd.glb",
    "rose.glb",
  ]);
  expect(html).toContain("<li>A loose part &lt;b&gt; opens a gap.</li>");
  expect(csv).toContain(floats);
  expect(JSON.parse(json).rows[1].findings).toEqual([floats]);
});
