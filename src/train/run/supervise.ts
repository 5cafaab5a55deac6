import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { InputError } from "../../input-error.ts";

/** A training step that a GPU did not get through. */
export class GpuFailure extends InputError {}

/** Exit status of a training process whose GPU gave up: it may be started again. */
export const GPU_GAVE_UP = 75;

/** Set in the environment of a supervised process. */
export const SUPERVISED = "HETERSKIN_SUPERVISED";

/** Options for {@link supervise}. */
export interface SuperviseOptions {
  /** The file that shows that a process got somewhere before it ended. */
  checkpoint: string;
  onRestart: (reason: string) => void;
}

/**
 * Runs a training process and starts it again, from its last checkpoint, whenever a GPU takes it down: ONNX
 * Runtime ends the whole process when a card has no memory left.
 *
 * A process that ends without a new checkpoint is not started again, since the next one would end as it did.
 *
 * @returns its exit status
 */
export async function supervise(
  command: string,
  args: string[],
  { checkpoint, onRestart }: SuperviseOptions,
): Promise<number> {
  for (;;) {
    const before = writtenAt(checkpoint);
    const { status, signal } = await runToEnd(command, args);
    const fallen = signal !== null || status === GPU_GAVE_UP;
    if (!fallen) return status ?? 1;
    if (signal === "SIGINT" || signal === "SIGTERM") return 1;
    const reason = signal ? `ended by ${signal}` : "the GPU gave up";
    if (writtenAt(checkpoint) <= before) {
      throw new InputError(
        `Training stopped before its first checkpoint (${reason}); use fewer vertices per batch, or train on the CPU.`,
      );
    }
    onRestart(reason);
  }
}

function writtenAt(file: string): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

function runToEnd(
  command: string,
  args: string[],
): Promise<{ status: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: "inherit",
      env: { ...process.env, [SUPERVISED]: "1" },
    });
    // Ctrl-C reaches the child by itself; both wait for its checkpoint.
    const ignore = (): void => undefined;
    const pass = (): void => void child.kill("SIGTERM");
    process.on("SIGINT", ignore);
    process.on("SIGTERM", pass);
    child.once("error", reject);
    child.once("exit", (status, signal) => {
      process.off("SIGINT", ignore);
      process.off("SIGTERM", pass);
      resolve({ status, signal });
    });
  });
}
