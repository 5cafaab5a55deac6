import { fork } from "node:child_process";
import path from "node:path";
import { packageRoot } from "../files/package-root.ts";

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

/** What ends a program from outside, with the status shells give it: 128 and its number. */
const STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Why a program was stopped. */
export type Interruption = keyof typeof STATUS;

/**
 * Aborts on the first Ctrl-C, or on the word of whoever started us; the second ends the process at
 * once. While files are written both wait the moment that takes, so that no draft is left.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(STATUS) as Interruption[]) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(STATUS[signal]);
      controller.abort(signal);
    });
  }
  return controller.signal;
}

/** The exit status for what stopped a program; that of Ctrl-C where it is not known. */
export function statusOf(reason: unknown): number {
  return STATUS[reason as Interruption] ?? STATUS.SIGINT;
}
