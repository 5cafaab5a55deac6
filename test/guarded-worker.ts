import { InputError } from "../src/input-error.ts";

/** What a test asks of the worker: answer, hang, grow without end, end, or refuse the input. */
export type GuardedJob = "answer" | "hang" | "grow" | "end" | "refuse";

/** Makes what does the jobs. */
export const createGuarded =
  ({ greeting }: { greeting: string }) =>
  async (job: GuardedJob): Promise<string> => {
    if (job === "end") process.exit(7);
    if (job === "refuse") throw new InputError("Not like this.");
    const kept: Uint8Array[] = [];
    while (job === "hang" || job === "grow") {
      // Filled, since memory that is never touched is never taken.
      if (job === "grow") kept.push(new Uint8Array(2 ** 24).fill(1));
      if (kept.length > 100) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return `${greeting} from ${process.pid}`;
  };
