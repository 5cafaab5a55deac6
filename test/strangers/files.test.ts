import { afterAll, describe, expect, test } from "vitest";
import { createWorkerHost } from "../../src/processes/worker-host.ts";
import { STRANGE_FILES } from "./corpus.ts";
import type { StrangeAnswer } from "./strange-worker.ts";

/** Bounds on hanging and on growing, far above what any of them needs. */
const worker = createWorkerHost<string, StrangeAnswer>({
  kind: "process",
  module: "./strange-worker",
  name: "createStrangeJob",
  settings: {},
  from: import.meta.url,
  timeout: 45_000,
  memory: 2 * 2 ** 30,
});

afterAll(() => worker.stop());

describe("files from strangers", () => {
  test.each(STRANGE_FILES.map((file) => [file.what, file] as const))("%s", async (what, file) => {
    const { outcome, message, notes } = await worker.run(what);
    expect(`${outcome} ${message}`).toMatch(file.refusal ? /^refused / : /^bound /);
    if (file.refusal) expect(message).toMatch(file.refusal);
    if (file.note) expect(notes.join(" ")).toMatch(file.note);
  });
});
