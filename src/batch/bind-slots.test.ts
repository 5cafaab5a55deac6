import { expect, test, vi } from "vitest";
import type { WorkerHost } from "../processes/worker-host.ts";
import { createLocalRunner } from "../serve/api/job-runner.ts";
import type * as pool from "./pool.ts";
import { createBindSlots, type SlotJob } from "./pool.ts";
import type { BatchAnswer, BatchJob } from "./row.ts";

/** Processes that bind nothing: a job lasts until its host is stopped. */
const begun = vi.hoisted(() => [] as string[]);
vi.mock("./pool.ts", async (load) => ({
  ...(await load<typeof pool>()),
  createBatchHost: (): WorkerHost<BatchJob, BatchAnswer> => {
    let end: (error: Error) => void = () => undefined;
    return {
      run: ({ file }) =>
        new Promise((_, reject) => {
          begun.push(file.file);
          end = reject;
        }),
      stop: async () => end(new Error("stopped")),
    };
  },
}));

const jobOf = (file: string): SlotJob => ({
  file: { file, output: file, inputPath: file, outputPath: file, bytes: 1 },
  settings: { bind: {}, reports: false, pictures: false },
  timeout: 1,
});
const watch = (signal = new AbortController().signal) => ({
  onBegin: () => undefined,
  onProgress: () => undefined,
  signal,
});

test("slots that are stopped begin nothing more, not even what waits for memory", async () => {
  begun.length = 0;
  const slots = createBindSlots(1);
  const all = ["first", "second"].map((file) => slots.run(jobOf(file)));
  await vi.waitFor(() => expect(begun).toEqual(["first"]));
  slots.stop();
  const rows = (await Promise.all(all)).map(({ row }) => row?.status);
  expect(rows).toEqual(["failed", "failed"]);
  expect(begun).toEqual(["first"]);
});

test("a job that is dropped while it waits ends at once, and the next has its turn", async () => {
  begun.length = 0;
  const runner = createLocalRunner(1);
  const [first, dropped] = [new AbortController(), new AbortController()];
  const running = runner.run("1", jobOf("first"), watch(first.signal));
  const waiting = runner.run("2", jobOf("dropped"), watch(dropped.signal));
  const next = runner.run("3", jobOf("next"), watch());
  await vi.waitFor(() => expect(begun).toEqual(["first"]));
  dropped.abort();
  expect((await waiting).row?.error).toBe("Cancelled.");
  first.abort();
  await running;
  await vi.waitFor(() => expect(begun).toEqual(["first", "next"]));
  await runner.stop();
  await next;
});
