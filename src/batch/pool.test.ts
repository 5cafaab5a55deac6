import { beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../test/helpers/eventually.ts";
import type * as processes from "../processes/worker-host.ts";
import type { BatchFile } from "./list.ts";
import { type BindJob, bindAll, createBindPool, memoryNeed } from "./pool.ts";
import type { FileJob } from "./row.ts";

/** Files in the order of their start and end; a file lasts until the test ends it, or its host stops. */
const begun: string[] = [];
const stopped: string[] = [];
const running = new Map<string, () => void>();
let hosts = 0;
vi.mock("../processes/worker-host.ts", async (load) => ({
  ...(await load<typeof processes>()),
  createWorkerHost: () => {
    hosts++;
    let stop = () => undefined as unknown;
    return {
      run: ({ file }: FileJob) =>
        new Promise((resolve, reject) => {
          begun.push(file.file);
          running.set(file.file, () => resolve({ row: { status: "done" } }));
          stop = () => {
            // A process takes a while to exit.
            setTimeout(() => {
              stopped.push(file.file);
              reject(new Error("ended"));
            }, 20);
          };
        }),
      stop: () => stop(),
    };
  },
}));

beforeEach(() => {
  for (const list of [begun, stopped]) list.length = 0;
  running.clear();
  hosts = 0;
});

const MB = 2 ** 20;
const fileOf = (file: string, bytes = 0): BatchFile => ({
  file,
  output: file,
  inputPath: file,
  outputPath: file,
  bytes,
});
const settings = { bind: {}, reports: false, pictures: false };
const jobOf = (file: string, bytes = 0): BindJob => ({
  file: fileOf(file, bytes),
  settings,
  timeout: 1,
});
const end = async (file: string) => {
  running.get(file)?.();
  await new Promise((resolve) => setTimeout(resolve));
};

describe("a pool", () => {
  test("runs at most the allowed number of jobs at once, in order of arrival", async () => {
    const pool = createBindPool({ jobs: 2, memory: 2 ** 40 });
    const all = ["a", "b", "c", "d"].map((name) => pool.run(jobOf(name)));
    await eventually(() => expect(begun).toEqual(["a", "b"]));
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c", "d"]) await end(name);
    await Promise.all(all);
    expect(begun).toEqual(["a", "b", "c", "d"]);
    // Jobs with the same settings share processes.
    expect(hosts).toBe(2);
  });

  test("lets smaller jobs overtake one that waits for memory, but not forever", async () => {
    const large = memoryNeed({ bytes: 8 * MB });
    const small = memoryNeed({ bytes: 0 });
    const pool = createBindPool({ memory: large + small });
    const all = [pool.run(jobOf("large", 8 * MB)), pool.run(jobOf("second", 8 * MB))];
    const names = Array.from({ length: 20 }, (_, i) => `small ${i}`);
    all.push(...names.map((name) => pool.run(jobOf(name))));
    await eventually(() => expect(begun).toEqual(["large", "small 0"]));
    for (const name of names) await end(name);
    // "second" was overtaken 16 times; then the others wait for it.
    expect(begun).toEqual(["large", ...names.slice(0, 16)]);
    await end("large");
    expect(begun).toContain("second");
    pool.stop();
    await Promise.all(all);
  });

  test("always runs one job, however large", async () => {
    const pool = createBindPool({ memory: 1 });
    const all = ["a", "b"].map((name) => pool.run(jobOf(name, 100 * MB)));
    await eventually(() => expect(begun).toEqual(["a"]));
    await end("a");
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect((await Promise.all(all)).map(({ row }) => row?.status)).toEqual(["done", "done"]);
  });

  test("starts nothing after a stop, not even jobs that wait for memory", async () => {
    const pool = createBindPool({ memory: 1 });
    const all = ["first", "second"].map((name) => pool.run(jobOf(name)));
    await eventually(() => expect(begun).toEqual(["first"]));
    pool.stop();
    expect((await Promise.all(all)).map(({ row }) => row?.status)).toEqual(["failed", "failed"]);
    expect((await pool.run(jobOf("late"))).row?.error).toBe("Cancelled.");
    expect(begun).toEqual(["first"]);
  });

  test("ends a waiting job immediately when it is cancelled, and runs the next", async () => {
    const pool = createBindPool({ jobs: 1 });
    const [first, cancelled] = [new AbortController(), new AbortController()];
    const one = pool.run(jobOf("first"), { signal: first.signal });
    const two = pool.run(jobOf("cancelled"), { signal: cancelled.signal });
    const three = pool.run(jobOf("next"));
    await eventually(() => expect(begun).toEqual(["first"]));
    cancelled.abort();
    expect((await two).row?.error).toBe("Cancelled.");
    first.abort();
    await one;
    await eventually(() => expect(begun).toEqual(["first", "next"]));
    pool.stop();
    await three;
  });
});

test("a batch starts the largest files first", async () => {
  const files = [fileOf("a", 1), fileOf("b", 3), fileOf("c", 2)];
  const done = bindAll(files, settings, { jobs: 1, memory: 2 ** 40 });
  for (const name of ["b", "c", "a"]) {
    await eventually(() => expect(begun.at(-1)).toBe(name));
    await end(name);
  }
  await done;
  expect(begun).toEqual(["b", "c", "a"]);
});

test("a batch whose journal cannot be written ends all jobs before it throws", async () => {
  const told: string[] = [];
  const files = ["first", "second", "third"].map((name) => fileOf(name));
  const batch = bindAll(files, settings, {
    jobs: 2,
    memory: 2 ** 40,
    onDone: ({ file }) => {
      told.push(file);
      throw new Error("no room");
    },
  });
  await eventually(() => expect(begun).toContain("second"));
  await end("first");
  await expect(batch).rejects.toThrow("no room");
  expect([told, stopped]).toEqual([["first"], expect.arrayContaining(["second"])]);
});
