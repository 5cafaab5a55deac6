import { fork } from "node:child_process";
import path from "node:path";
import { packageRoot } from "../work/package-root.ts";
import { statusOf } from "./interruption.ts";

/** Set in the process that does the work. */
const MARK = "HETERSKIN_APART";

/** Milliseconds a stopped command has to come to its own end: a file being written is finished. */
const GRACE = 1000;

/** Whether this is a built program, and not yet the process that does the work. */
export function canRunApart(): boolean {
  if (process.env[MARK] === undefined) return import.meta.url.endsWith(".js");
  // Whoever asked may be killed at any moment; what works for it must not outlive it.
  if (process.connected) {
    process.on("disconnect", () => process.exit());
    process.channel?.unref();
  }
  return false;
}

/**
 * Runs a command in a process of its own, which can be ended whatever it computes, and gives its
 * exit status.
 *
 * A signal is passed on; what has not ended a moment later is killed, and by a second one at once.
 */
export function runApart(argv: string[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(packageRoot(), "bin", "heterskin.js"), argv, {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, [MARK]: "1" },
      // Ctrl-C reaches all processes of a terminal's group by itself; ours pass it on.
      detached: false,
    });
    const end = () => {
      child.kill(signal.reason ?? "SIGINT");
      setTimeout(() => child.kill("SIGKILL"), GRACE).unref();
    };
    process.once("exit", () => child.kill("SIGKILL"));
    signal.addEventListener("abort", end, { once: true });
    child.once("error", reject);
    child.once("exit", (code, killer) => {
      if (signal.aborted && code === null) process.stderr.write("Stopped.\n");
      const isKilled = code === null;
      if (isKilled && !signal.aborted) reject(new Error(`The work was ended (${killer}).`));
      else resolve(isKilled ? statusOf(signal.reason) : code);
    });
  });
}
