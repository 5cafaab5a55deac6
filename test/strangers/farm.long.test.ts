/** A farm with an untrusted queue, Redis or clock. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { BatchRow } from "../../src/batch/journal.ts";
import { addJobs, type FarmJob, withQueue } from "../../src/farm/queue.ts";
import { farmStatus } from "../../src/farm/status.ts";
import { checkJob, workFarm } from "../../src/farm/work-farm.ts";
import { InputError } from "../../src/input-error.ts";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { hasRedis } from "../helpers/redis-server.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";
import { useRedis } from "../helpers/use-redis.ts";

const folder = useFolder();
const goodJob = (): FarmJob => ({
  file: {
    file: "a.glb",
    output: "a.glb",
    inputPath: folder.at("a.glb"),
    outputPath: folder.at("out.glb"),
    bytes: 1000,
  },
  settings: { bind: { method: "inverse-distance" }, reports: false, pictures: false },
  timeout: 60,
});

/** Jobs that no client submitted. */
// biome-ignore lint/suspicious/noExplicitAny: malformed on purpose
const MALFORMED: [string, (job: any) => unknown][] = [
  ["nothing", () => null],
  ["a number", () => 7],
  ["no file", ({ file: _, ...job }) => job],
  ["a file without paths", (job) => ({ ...job, file: {} })],
  ["a path that is a number", (job) => ({ ...job, file: { ...job.file, inputPath: 7 } })],
  ["no size", ({ file: { bytes: _, ...file }, ...job }) => ({ ...job, file })],
  ["a size below 0", (job) => ({ ...job, file: { ...job.file, bytes: -1e15 } })],
  ["a size beyond all disks", (job) => ({ ...job, file: { ...job.file, bytes: 1e18 } })],
  ["no settings", ({ settings: _, ...job }) => job],
  ["settings without options", (job) => ({ ...job, settings: {} })],
  ["a time limit of 1e12 s", (job) => ({ ...job, timeout: 1e12 })],
  ["a time limit below 0", (job) => ({ ...job, timeout: -1 })],
  ["keys that are not a list", (job) => ({ ...job, beside: "a" })],
];

test("a valid job passes", () => expect(() => checkJob(goodJob())).not.toThrow());

test.each(MALFORMED)("a job with %s is refused in a sentence", (_, change) => {
  expect(() => checkJob(change(goodJob()) as FarmJob)).toThrow(InputError);
});

describe.skipIf(!hasRedis())("a farm", { timeout: 120_000 }, () => {
  const redis = useRedis();
  beforeEach(() => {
    writeFileSync(folder.at("a.glb"), glbOf(tube()));
  });
  const command = (text: string) =>
    new Promise<string>((resolve) => {
      const child = spawn("redis-cli", ["-p", `${redis.server.port}`, ...text.split(" ")]);
      child.stdout.on("data", (said) => resolve(`${said}`.trim()));
    });

  test("fails malformed jobs in one sentence and then runs the valid one", async () => {
    await withQueue(redis.address, (queue) => {
      const bad = MALFORMED.map(([, change]) => change(goodJob()) as FarmJob);
      const jobs = [...bad, goodJob()].map((data, index) => ({ id: `j${index}`, data }));
      return addJobs(queue, jobs);
    });
    const rows: BatchRow[] = [];
    // There is memory for one job only: a part that is not returned would stop the farm.
    const options = { jobs: 2, memory: 1, untilEmpty: true };
    await workFarm(redis.address, { ...options, onRow: (row) => rows.push(row) });
    const failed = rows.filter(({ status }) => status === "failed");
    expect(failed).toHaveLength(MALFORMED.length);
    for (const { error, isUserError } of failed) {
      expect([isUserError, error]).toEqual([
        true,
        expect.stringMatching(/^The job is not valid: .*\.$/),
      ]);
    }
    expect(rows.filter(({ status }) => status === "done")).toHaveLength(1);
    const status = await withQueue(redis.address, farmStatus);
    expect(status.jobs).toMatchObject({ failed: MALFORMED.length, done: 1 });
  });

  test("shows a plausible rate although the clock of a worker is an hour ahead", async () => {
    const clock = folder.at("clock.mjs");
    writeFileSync(clock, "const now = Date.now; Date.now = () => now() + 3600_000;\n");
    mkdirSync(folder.at("in"));
    for (const name of ["a", "b", "c"]) writeFileSync(folder.at(`in/${name}.glb`), glbOf(tube()));
    const how = ["--method", "inverse-distance", "--jobs", "1"];
    await runCli("farm", "submit", folder.at("in"), folder.at("out"), ...how, ...redis.flags);
    const program = path.resolve("bin/heterskin.js");
    const words = ["--import", clock, program, "farm", "work", "--until-empty", ...redis.flags];
    const worker = spawn(process.execPath, words, { stdio: "ignore" });
    expect((await once(worker, "exit"))[0]).toBe(0);
    const { jobs, rate } = await withQueue(redis.address, farmStatus);
    expect(jobs).toMatchObject({ done: 3, waiting: 0, active: 0, delayed: 0 });
    // Three jobs "in no time" would be thousands a second.
    expect(rate).toBeLessThan(500);
  });

  test("reports that Redis has no memory left", async () => {
    await command("config set maxmemory 1mb");
    await command("config set maxmemory-policy noeviction");
    try {
      mkdirSync(folder.at("in"));
      writeFileSync(folder.at("in/a.glb"), glbOf(tube()));
      const how = ["--method", "inverse-distance", "--jobs", "1"];
      const run = await runCli(
        "farm",
        "submit",
        folder.at("in"),
        folder.at("out"),
        ...how,
        ...redis.flags,
      );
      expect([run.status, run.stderr]).toEqual([
        1,
        expect.stringMatching(/^heterskin: Redis refuses to store jobs \(OOM .*\n$/),
      ]);
    } finally {
      await command("config set maxmemory 0");
    }
  });

  test("continues after Redis has lost all data", async () => {
    const stop = new AbortController();
    const rows: BatchRow[] = [];
    const working = workFarm(redis.address, {
      jobs: 1,
      signal: stop.signal,
      onRow: (row) => rows.push(row),
    });
    await withQueue(redis.address, (queue) => addJobs(queue, [{ id: "one", data: goodJob() }]));
    await expect.poll(() => rows.length, { timeout: 60_000 }).toBe(1);
    await redis.server.kill();
    rmSync(redis.folder, { recursive: true, force: true });
    mkdirSync(redis.folder);
    await redis.server.start();
    await withQueue(redis.address, (queue) => addJobs(queue, [{ id: "two", data: goodJob() }]));
    await expect.poll(() => rows.length, { timeout: 60_000 }).toBe(2);
    stop.abort();
    await working;
  });

  test("ends on a signal while Redis hangs", async () => {
    const program = path.resolve("bin/heterskin.js");
    for (const more of [[], ["--until-empty"]]) {
      // Without jobs, a worker that runs until the queue is empty would exit by itself.
      await withQueue(redis.address, (queue) => queue.pause());
      await withQueue(redis.address, (queue) => addJobs(queue, [{ id: "later", data: goodJob() }]));
      const words = [program, "farm", "work", ...more, ...redis.flags];
      const worker = spawn(process.execPath, words, { stdio: "ignore" });
      await expect
        .poll(async () => (await withQueue(redis.address, farmStatus)).workers, { timeout: 30_000 })
        .toBe(1);
      redis.server.hang();
      try {
        worker.kill("SIGTERM");
        const [code, signal] = await once(worker, "exit");
        expect([code, signal]).toEqual([0, null]);
      } finally {
        redis.server.wake();
      }
    }
  });

  test("takes 5,000 jobs and shows them", async () => {
    const jobs = Array.from({ length: 5000 }, (_, i) => ({ id: `f${i}`, data: goodJob() }));
    const status = await withQueue(redis.address, async (queue) => {
      await addJobs(queue, jobs);
      return farmStatus(queue);
    });
    expect(status.jobs.waiting).toBe(5000);
    const cancelled = await runCli("farm", "cancel", ...redis.flags);
    expect(cancelled.stdout).toMatch(/^5000 waiting jobs are cancelled/);
  });
});
