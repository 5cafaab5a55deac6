import { InputError } from "../../src/input-error.ts";

/** Jobs of the worker in tests: answer, hang, grow without end, exit, refuse the input, or report progress. */
export type GuardedJob = "answer" | "hang" | "grow" | "end" | "refuse" | "tell";

/** Creates the function that runs the jobs. */
export const createGuarded =
  ({ greeting }: { greeting: string }) =>
  async (
    job: GuardedJob,
    onProgress?: (stage: string, fraction: number) => void,
  ): Promise<string> => {
    if (job === "end") process.exit(7);
    if (job === "refuse") throw new InputError("Not like this.");
    if (job === "tell") for (let i = 0; i <= 1000; i++) onProgress?.("work", i / 1000);
    const kept: Uint8Array[] = [];
    while (job === "hang" || job === "grow") {
      // Filled, since untouched memory is never allocated.
      if (job === "grow") kept.push(new Uint8Array(2 ** 24).fill(1));
      if (kept.length > 100) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return `${greeting} from ${process.pid}`;
  };
