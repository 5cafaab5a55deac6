import type { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { eventually } from "../../test/helpers/eventually.ts";
import type { BindJob } from "../batch/pool.ts";
import type * as farmQueue from "./queue.ts";
import { createFarmRunner } from "./runner.ts";

/** A queue in memory whose calls take a while, as over a network. */
const farm = vi.hoisted(() => ({
  jobs: new Map<string, { data: object; finishedOn?: number; returnvalue?: object }>(),
  held: new Set<string>(),
  events: undefined as unknown as EventEmitter,
  addTime: 0,
}));
vi.mock("./queue.ts", async (load) => {
  const { EventEmitter } = await import("node:events");
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const remove = async (id: string) => Number(!farm.held.has(id) && (farm.jobs.delete(id) || true));
  const queue = {
    async add(_: string, data: object, { jobId }: { jobId: string }) {
      await later(farm.addTime);
      if (!farm.jobs.has(jobId)) farm.jobs.set(jobId, { data });
    },
    async getJob(id: string) {
      const job = farm.jobs.get(id);
      return job && { id, ...job, remove: () => remove(id) };
    },
    remove,
    close: async () => undefined,
  };
  class QueueEvents extends EventEmitter {
    constructor() {
      super();
      farm.events = this;
    }
    async waitUntilReady() {}
    async close() {}
  }
  return {
    ...(await load<typeof farmQueue>()),
    openQueue: async () => queue,
    loadBullmq: async () => ({ QueueEvents }),
  };
});

const job: BindJob = {
  file: { file: "a.glb", output: "a.glb", inputPath: "a.glb", outputPath: "a.glb", bytes: 1 },
  settings: { bind: {}, reports: false, pictures: false },
  timeout: 1,
};
const address = { redis: "redis://127.0.0.1:1", name: "test" };
const watch = (signal: AbortSignal) => ({
  signal,
  onBegin: () => undefined,
  onProgress: () => undefined,
});

test("a job cancelled while it is being added does not stay in the farm", async () => {
  farm.addTime = 30;
  const runner = await createFarmRunner(address);
  const ending = new AbortController();
  const answer = runner.run("1", job, watch(ending.signal));
  ending.abort();
  expect((await answer).row?.error).toBe("Cancelled.");
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(farm.jobs.size).toBe(0);
  await runner.stop();
});

test("a running cancelled job ends with the worker, and is removed", async () => {
  farm.addTime = 0;
  const runner = await createFarmRunner(address);
  const ending = new AbortController();
  let isOver = false;
  const answer = runner.run("2", job, watch(ending.signal)).finally(() => {
    isOver = true;
  });
  await eventually(() => expect(farm.jobs.size).toBe(1));
  farm.held.add("2");
  ending.abort();
  await new Promise((resolve) => setTimeout(resolve, 30));
  // The listener to the end of the job removes what the worker still writes.
  expect(isOver).toBe(false);
  farm.held.clear();
  const row = { file: "a.glb", output: "a.glb", status: "done", warnings: [], seconds: 1 };
  Object.assign(farm.jobs.get("2")!, { finishedOn: 1, returnvalue: { row, input: "", bytes: "" } });
  farm.events.emit("completed", { jobId: "2" });
  expect((await answer).row?.error).toBe("Cancelled.");
  await eventually(() => expect(farm.jobs.size).toBe(0));
  await runner.stop();
});
