import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { useFolder } from "../../test/helpers/run-cli.ts";
import type * as settings from "../batch/row.ts";
import type { BatchAnswer } from "../batch/row.ts";
import type { FarmQueue } from "./queue.ts";
import { createFolderStore } from "./store.ts";
import { submitFolder, submitStored } from "./submit-folder.ts";

const folder = useFolder();

// Comparing and learning are stubbed: they take processes, and a minute.
vi.mock("../batch/pool.ts", () => ({
  DEFAULT_TIMEOUT: 600,
  async bindAll(
    files: unknown[],
    _: unknown,
    { onDone }: { onDone: (file: unknown, answer: Partial<BatchAnswer>) => void },
  ) {
    for (const file of files) onDone(file, { input: "input", isSame: true });
  },
}));
vi.mock("../batch/row.ts", async (load) => {
  const whole = await load<typeof settings>();
  const learnOnce: typeof whole.learnOnce = async ({ like = [] }, makeFolder) => {
    if (like.length === 0) return undefined;
    const adapted = path.join(await makeFolder(), "adapted.onnx");
    writeFileSync(adapted, "learned");
    return { adapted };
  };
  return { ...whole, learnOnce };
});

/** A queue in memory; `held` are the jobs that workers run. */
function createQueue() {
  const [jobs, held] = [new Map<string, object>(), new Set<string>()];
  const queue = {
    name: "test",
    getActive: async () => [...held].map((id) => ({ id })),
    getJob: async (id: string) => jobs.get(id),
    remove: async (id: string) => Number(!held.has(id) && (jobs.delete(id) || true)),
    addBulk: async (added: { data: object; opts: { jobId: string } }[]) => {
      for (const { data, opts } of added) {
        if (!jobs.has(opts.jobId)) jobs.set(opts.jobId, { id: opts.jobId, data });
      }
    },
  } as unknown as FarmQueue;
  return { queue, jobs, held };
}

const submit = (queue: FarmQueue, bind: object) =>
  submitFolder(queue, folder.at("in"), folder.at("out"), { jobs: 1, bind });
const learnedFolders = () =>
  readdirSync(folder.at("out")).filter((name) => name.startsWith(".heterskin-learned-"));

beforeEach(() => {
  mkdirSync(folder.at("in"));
  writeFileSync(folder.at("in/a.glb"), "a");
});

describe("a second submission with other options", () => {
  test("replaces waiting jobs, so that two jobs never write one output", async () => {
    const { queue, jobs } = createQueue();
    await submit(queue, { method: "hollow" });
    const [first] = jobs.keys();
    expect(await submit(queue, { method: "heat" })).toEqual({ added: 1, known: 0 });
    expect([jobs.size, jobs.has(first)]).toEqual([1, false]);
  });

  test("and a third with the first options are run, although both were done before", async () => {
    const { queue, jobs } = createQueue();
    const added: number[] = [];
    for (const method of ["hollow", "heat", "hollow"]) {
      added.push((await submit(queue, { method })).added);
      const [id] = jobs.keys();
      added.push([...jobs.values()].filter((job) => !("returnvalue" in job)).length);
      for (const job of jobs.values()) Object.assign(job, { id, returnvalue: {}, finishedOn: 1 });
    }
    expect(added).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("is refused while a worker runs the first, and accepted later", async () => {
    const { queue, jobs, held } = createQueue();
    await submit(queue, { method: "hollow" });
    const [first] = jobs.keys();
    held.add(first);
    await expect(submit(queue, { method: "heat" })).rejects.toThrow(
      /^a\.glb: a worker is binding this output with other options or from another file; submit again/,
    );
    expect([...jobs.keys()]).toEqual([first]);
    held.clear();
    expect(await submit(queue, { method: "heat" })).toEqual({ added: 1, known: 0 });
  });

  test("also replaces jobs for files of a store", async () => {
    const { queue, jobs } = createQueue();
    const store = createFolderStore(folder.at("in"));
    const characters = [{ input: "a.glb", output: "out/a.glb" }];
    const [first] = await submitStored(queue, store, characters, {
      out: "out",
      bind: { method: "hollow" },
    });
    await submitStored(queue, store, characters, { out: "out", bind: { method: "heat" } });
    expect([jobs.size, jobs.has(first)]).toEqual([1, false]);
  });
});

describe("the adapted model of a submission", () => {
  test("is kept for its jobs, and deleted without jobs", async () => {
    const { queue } = createQueue();
    await submit(queue, { like: ["x"] });
    expect(learnedFolders()).toHaveLength(1);
    expect(await submit(queue, { like: ["x"] })).toEqual({ added: 0, known: 1 });
    expect(learnedFolders()).toHaveLength(1);
  });

  test("is deleted if the submission fails", async () => {
    mkdirSync(folder.at("out"));
    writeFileSync(folder.at("out/a.glb"), "somebody's");
    const { queue } = createQueue();
    await expect(submit(queue, { like: ["x"] })).rejects.toThrow("the file exists");
    expect(learnedFolders()).toEqual([]);
  });
});
