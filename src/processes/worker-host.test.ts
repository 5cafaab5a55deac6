import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../test/helpers/eventually.ts";
import type { GuardedJob } from "../../test/helpers/guarded-worker.ts";
import { isAlive } from "../disk/write-whole.ts";
import { InputError } from "../input-error.ts";
import { createWorkerHost, createWorkerPool, type WorkerHost } from "./worker-host.ts";

let worker: WorkerHost<GuardedJob, string> | undefined;
afterEach(() => worker?.stop());

function start(limits: { timeout?: number; memory?: number; isSpent?: () => boolean } = {}) {
  worker = createWorkerHost<GuardedJob, string>({
    kind: "process",
    module: "../../test/helpers/guarded-worker",
    from: import.meta.url,
    settings: { greeting: "hello" },
    name: "createGuarded",
    ...limits,
  });
  return worker;
}

describe("createWorkerHost", () => {
  test("reuses its process, and replaces one that exited", async () => {
    const { run } = start();
    const first = await run("answer");
    expect(first).toMatch(/^hello from \d+$/);
    expect(await run("answer")).toBe(first);
    await expect(run("end")).rejects.toThrow("the worker process ended (code 7)");
    const next = await run("answer");
    expect(next).toMatch(/^hello from \d+$/);
    expect(next).not.toBe(first);
  });

  test("ends a job that takes too long, not counting the start of the process", async () => {
    const { run } = start({ timeout: 1000 });
    await expect(run("hang")).rejects.toThrow("it took more than 1 s");
    expect(await run("answer")).toMatch(/^hello/);
  });

  test.skipIf(process.platform !== "linux")("ends a job that takes too much memory", async () => {
    const { run } = start({ memory: 2 ** 28 });
    await expect(run("grow")).rejects.toThrow("it took more than 256 MB of memory");
  });

  test.skipIf(process.platform === "win32")(
    "leaves no hanging process if its own process is killed",
    async () => {
      const argv = ["--import", "tsx", "test/helpers/hanging-parent.ts"];
      const parent = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
      const [said] = await once(parent.stdout, "data");
      const pid = Number(/from (\d+)$/.exec(`${said}`)?.[1]);
      expect(isAlive(pid)).toBe(true);
      parent.kill("SIGKILL");
      try {
        await eventually(() => expect(isAlive(pid)).toBe(false));
      } finally {
        if (isAlive(pid)) process.kill(pid, "SIGKILL");
      }
    },
  );

  test("reports the progress of a job from first to last, but not every event", async () => {
    const { run } = start();
    const told: [string, number][] = [];
    await run("tell", (...words) => told.push(words));
    expect([told[0], told.at(-1)]).toEqual([
      ["work", 0],
      ["work", 1],
    ]);
    expect(told.length).toBeLessThan(500);
    expect(await run("tell")).toMatch(/^hello/);
  });

  test("runs the job after a stop in a new process", async () => {
    const host = start();
    const first = await host.run("answer");
    host.stop();
    const next = await host.run("answer");
    expect(next).toMatch(/^hello from \d+$/);
    expect(next).not.toBe(first);
  });

  test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "survives a %s to all processes of a group, because its parent decides",
    async (signal) => {
      const { run } = start();
      const first = await run("answer");
      process.kill(Number(/\d+$/.exec(first)), signal);
      // A process that had exited would have been replaced by now.
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await run("answer")).toBe(first);
    },
  );

  test("uses a new process after an answer that requests it", async () => {
    const { run } = start({ isSpent: () => true });
    expect(await run("answer")).not.toBe(await run("answer"));
  });
});

describe("createWorkerPool", () => {
  test.each(["thread", "process"] as const)(
    "runs jobs in a %s, and passes its errors on",
    async (kind) => {
      const pool = createWorkerPool<GuardedJob, string>(1, {
        kind,
        module: "../../test/helpers/guarded-worker",
        name: "createGuarded",
        from: import.meta.url,
        settings: { greeting: "hello" },
      });
      const answers = [pool.run("answer"), pool.run("refuse"), pool.run("answer")];
      const settled = await Promise.allSettled(answers);
      expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      await expect(answers[1]).rejects.toThrow(new InputError("Not like this."));
      await pool.close();
      await expect(pool.run("answer")).rejects.toThrow("the pool is closed");
    },
  );
});
