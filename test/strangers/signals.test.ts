import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();

/** A character that takes many seconds to solve. */
const large = glbOf(tube(1500, 128, 6));

/** A program that solves for many seconds, and a promise of its exit. */
function startLong(verb: "bind" | "evaluate" = "bind"): {
  child: ChildProcess;
  ended: Promise<[number | null, string | null]>;
} {
  writeFileSync(folder.at("in.glb"), large);
  const argv =
    verb === "bind"
      ? [folder.at("in.glb"), folder.at("out.glb"), "--method", "heat", "--smooth", "1000"]
      : [path.dirname(folder.at("in.glb")), "--methods", "heat", "--jobs", "1"];
  const child = spawn(process.execPath, ["bin/heterskin.js", verb, ...argv], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
  return { child, ended };
}

/** Ids of the child processes of a process. */
function childrenOf(pid: number | undefined): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((each) => each > 0 && parentOf(each) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1]);
  } catch {
    return undefined;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.skipIf(process.platform !== "linux")("signals while a character is solved", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "%s ends it with status %i, and leaves neither temporary files nor processes",
    async (signal, status) => {
      const { child, ended } = startLong();
      await until(() => childrenOf(child.pid).length > 0);
      const workers = childrenOf(child.pid);
      // Long enough to be past reading, during computation.
      await until(() => workers.some((pid) => cpuTicks(pid) > 300) || child.exitCode !== null);
      child.kill(signal);
      expect(await ended).toEqual([status, null]);
      await until(() => workers.every((pid) => parentOf(pid) === undefined));
      expect(readdirSync(path.dirname(folder.at("x"))).sort()).toEqual(["in.glb"]);
    },
  );

  test("SIGTERM ends an evaluation while it reads or solves", async () => {
    const { child, ended } = startLong("evaluate");
    await until(() => childrenOf(child.pid).length > 0);
    const workers = childrenOf(child.pid);
    await until(() => workers.some((pid) => cpuTicks(pid) > 100) || child.exitCode !== null);
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    await until(() => workers.every((pid) => parentOf(pid) === undefined));
  });

  test("the second signal ends it immediately", async () => {
    const { child, ended } = startLong();
    await until(() => childrenOf(child.pid).length > 0);
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect((await ended)[0] ?? 130).toBe(130);
  });
});

/** CPU time of a process, in hundredths of a second. */
function cpuTicks(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(text.slice(text.lastIndexOf(")")).split(" ")[12]);
  } catch {
    return 0;
  }
}
