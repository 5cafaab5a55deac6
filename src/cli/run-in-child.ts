import { fork } from "node:child_process";
import path from "node:path";
import { packageRoot } from "../files/package-root.ts";

const CHILD_MARK = "HETERSKIN_CHILD";

/** Milliseconds for a cancelled command to exit by itself, so that it completes a file being written. */
const GRACE = 1000;

/** Whether commands can be forked: this is a built program, and not already the child. */
export function canRunInChild(): boolean {
  if (process.env[CHILD_MARK] === undefined) return import.meta.url.endsWith(".js");
  // The parent may be killed at any moment; the child must not outlive it.
  if (process.connected) {
    process.on("disconnect", () => process.exit());
    process.channel?.unref();
  }
  return false;
}

/**
 * Runs a command in a child process, which can be killed during a long computation, and returns its exit
 * status.
 *
 * An abort is forwarded as a signal. If the child is still running after a second it is killed; a second
 * signal kills it immediately.
 */
export function runInChild(argv: string[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(packageRoot(), "bin", "heterskin.js"), argv, {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, [CHILD_MARK]: "1" },
      // Ctrl-C reaches every process of the terminal's group; other signals are forwarded below.
      detached: false,
    });
    const cancel = () => {
      child.kill(signal.reason ?? "SIGINT");
      setTimeout(() => child.kill("SIGKILL"), GRACE).unref();
    };
    process.once("exit", () => child.kill("SIGKILL"));
    signal.addEventListener("abort", cancel, { once: true });
    child.once("error", reject);
    child.once("exit", (code, killer) => {
      if (code !== null) return resolve(code);
      if (!signal.aborted) return reject(new Error(`The worker process was killed (${killer}).`));
      process.stderr.write("Stopped.\n");
      resolve(statusOf(signal.reason));
    });
  });
}

/** Signals that stop the program, with the exit status of shells: 128 plus the signal number. */
const STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type StopSignal = keyof typeof STATUS;

/**
 * Returns a signal that aborts on the first Ctrl-C, SIGTERM or SIGHUP; the second exits immediately. Files
 * are written synchronously, so neither leaves a temporary file.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(STATUS) as StopSignal[]) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(STATUS[signal]);
      controller.abort(signal);
    });
  }
  return controller.signal;
}

/** Returns the exit status for the reason of an abort, by default that of Ctrl-C. */
export function statusOf(reason: unknown): number {
  return STATUS[reason as StopSignal] ?? STATUS.SIGINT;
}
