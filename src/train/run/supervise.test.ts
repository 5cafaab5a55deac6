import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { GPU_FAILED, supervise } from "./supervise.ts";

/** A process that counts its starts in a file and exits as listed. */
function script(endings: string[], saves: boolean): { file: string; args: string[]; log: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "supervise-"));
  const log = path.join(folder, "starts");
  const checkpoint = path.join(folder, "last.checkpoint");
  writeFileSync(log, "");
  const code = `
    const fs = require("node:fs");
    fs.appendFileSync(${JSON.stringify(log)}, "x");
    const start = fs.readFileSync(${JSON.stringify(log)}, "utf8").length;
    if (${saves}) fs.writeFileSync(${JSON.stringify(checkpoint)}, String(start));
    const ending = ${JSON.stringify(endings)}[start - 1];
    if (ending === "abort") process.abort();
    process.exit(Number(ending));`;
  return { file: checkpoint, args: ["-e", code], log };
}

const run = (endings: string[], saves = true) => {
  const { file, args, log } = script(endings, saves);
  const reasons: string[] = [];
  const ended = supervise(process.execPath, args, {
    checkpoint: file,
    onRestart: (reason) => reasons.push(reason),
  });
  return { ended, reasons, starts: () => readFileSync(log, "utf8").length };
};

test("a process that crashes after a checkpoint is restarted until it succeeds", async () => {
  const { ended, reasons, starts } = run(["abort", String(GPU_FAILED), "0"]);
  expect(await ended).toBe(0);
  expect(starts()).toBe(3);
  expect(reasons).toEqual(["ended by SIGABRT", "the GPU failed"]);
});

test("an ordinary failure is passed on at once", async () => {
  const { ended, starts } = run(["1"]);
  expect(await ended).toBe(1);
  expect(starts()).toBe(1);
});

test("without a new checkpoint it is not restarted", async () => {
  const { ended, starts } = run(["abort"], false);
  await expect(ended).rejects.toThrow(/before its first checkpoint/);
  expect(starts()).toBe(1);
});
