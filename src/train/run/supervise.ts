import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { InputError } from "../../input-error.ts";

/** A training step that failed on a GPU. */
export class GpuFailure extends InputError {}

/** Exit status of a training process that failed on the GPU and may be restarted. */
export const GPU_FAILED = 75;

/** Environment variable of a supervised process. */
export const SUPERVISED = "HETERSKIN_SUPERVISED";

/**
 * Runs a training process and restarts it from its last checkpoint after a GPU failure, because
 * ONNX Runtime aborts the process when a GPU runs out of memory. A process that ends without a new
 * checkpoint is not restarted.
 *
 * @returns its exit status
 */
export async function supervise(
  command: string,
  args: string[],
  { checkpoint, onRestart }: { checkpoint: string; onRestart: (reason: string) => void },
): Promise<number> {
  for (;;) {
    const before = writtenAt(checkpoint);
    const { status, signal } = await runToEnd(command, args);
    const hasFailed = signal !== null || status === GPU_FAILED;
    if (!hasFailed) return status ?? 1;
    if (signal === "SIGINT" || signal === "SIGTERM") return 1;
    const reason = signal ? `ended by ${signal}` : "the GPU failed";
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
    const env = { ...process.env, [SUPERVISED]: "1" };
    const child = spawn(command, args, { stdio: "inherit", env });
    // Ctrl-C also reaches the child; both wait for its checkpoint.
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
