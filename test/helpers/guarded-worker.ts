import { InputError } from "../../src/input-error.ts";

/** What a test asks of the worker: answer, hang, grow without end, end, refuse the input, or tell how far it is. */
export type GuardedJob = "answer" | "hang" | "grow" | "end" | "refuse" | "tell";

/** Makes what does the jobs. */
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
      // Filled, since memory that is never touched is never taken.
      if (job === "grow") kept.push(new Uint8Array(2 ** 24).fill(1));
      if (kept.length > 100) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return `${greeting} from ${process.pid}`;
  };
