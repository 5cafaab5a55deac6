/** Passes every bad file to the reader and the commands: they print one sentence and leave no files. */
import { mkdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { createWorkerHost } from "../../src/processes/worker-host.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";
import type { BadFileAnswer } from "./bad-file-worker.ts";
import { BAD_FILES } from "./corpus.ts";

/** Limits on time and memory far above the needs of any of the files. */
const worker = createWorkerHost<string, BadFileAnswer>({
  kind: "process",
  module: "./bad-file-worker",
  name: "createBadFileJob",
  settings: {},
  from: import.meta.url,
  timeout: 170_000,
  memory: 2 * 2 ** 30,
});

afterAll(() => worker.stop());

/** One line after the program's name, which is not an internal error. */
const SENTENCE = /^heterskin: [^\n]{10,700}\n$/;

/** One sentence: its only full stop before a space is the last. */
function expectOneSentence(message: string): void {
  expect(message).toMatch(/^[^\n]{10,700}[.)!?"]$/);
  expect(message.replace(/\.(?=\w)/g, "").match(/\.(\s|$)/g)?.length ?? 1).toBe(1);
}

describe("bad files", () => {
  test.each(BAD_FILES.map((file) => [file.what, file] as const))("%s", async (what, file) => {
    const { read, bind, inspect, left } = await worker.run(what);
    const { refusal, note, canRead, canInspect } = file;
    if (!refusal) {
      expect([read, bind.status, inspect.status]).toEqual([undefined, 0, 0]);
      if (note) expect(bind.stderr).toMatch(note);
      return;
    }
    if (canRead) expect(read).toBeUndefined();
    else {
      expectOneSentence(read ?? "");
      expect(read).toMatch(refusal);
    }
    expect(bind.stderr).toMatch(SENTENCE);
    expect(bind.stderr).toMatch(refusal);
    expect([bind.status, left]).toEqual([1, []]);
    if (inspect.status !== 0) expect(inspect.stderr).toMatch(SENTENCE);
    expect(inspect.status).toBeLessThan(2);
    if (!canRead && !canInspect) expect(inspect.status).toBe(1);
  });

  const folder = useFolder();
  test.each<[string, (file: string) => void, RegExp]>([
    ["no file", () => {}, /no such file/],
    ["a folder", (file) => mkdirSync(file), /folder/],
  ])("%s", async (_, make, says) => {
    make(folder.at("a.glb"));
    const before = folder.list();
    for (const verb of ["bind", "inspect"]) {
      const output = verb === "bind" ? [folder.at("out.glb")] : [];
      const run = await runCli(verb, folder.at("a.glb"), ...output);
      expect(run.stderr).toMatch(SENTENCE);
      expect(run.stderr).toMatch(says);
      expect([run.status, run.stdout]).toEqual([1, ""]);
      expect(folder.list()).toEqual(before);
    }
  });
});
