import { afterEach, describe, expect, it } from "vitest";
import type { GuardedJob } from "../../test/guarded-worker.ts";
import { createProcessWorker, type ProcessWorker } from "./process-worker.ts";

let worker: ProcessWorker<GuardedJob, string> | undefined;
afterEach(() => worker?.stop());

function start(limits: { timeout?: number; memory?: number; isSpent?: () => boolean } = {}) {
  worker = createProcessWorker<GuardedJob, string>({
    module: "../../test/guarded-worker",
    from: import.meta.url,
    settings: { greeting: "hello" },
    lost: (job, why) => `${job}: ${why}`,
    ...limits,
  });
  return worker;
}

describe("createProcessWorker", () => {
  it("keeps its process from job to job, and replaces one that ended", async () => {
    const { run } = start();
    const first = await run("answer");
    expect(first).toMatch(/^hello from \d+$/);
    expect(await run("answer")).toBe(first);
    expect(await run("end")).toBe("end: the worker process ended (code 7)");
    const next = await run("answer");
    expect(next).toMatch(/^hello from \d+$/);
    expect(next).not.toBe(first);
  });

  it("ends a job that takes too long; starting a process does not count", async () => {
    const { run } = start({ timeout: 1000 });
    expect(await run("hang")).toBe("hang: it took more than 1 s");
    expect(await run("answer")).toMatch(/^hello/);
  });

  it.skipIf(process.platform !== "linux")("ends a job that takes too much memory", async () => {
    const { run } = start({ memory: 2 ** 28 });
    expect(await run("grow")).toBe("grow: it took more than 256 MB of memory");
  });

  it("takes a new process after an answer that says so", async () => {
    const { run } = start({ isSpent: () => true });
    expect(await run("answer")).not.toBe(await run("answer"));
  });
});
