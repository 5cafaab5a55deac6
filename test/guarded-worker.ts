import { serveProcess } from "../src/cli/serve-process.ts";

/** What a test asks of the worker: answer, hang, grow without end, or end. */
export type GuardedJob = "answer" | "hang" | "grow" | "end";

serveProcess<{ greeting: string }, GuardedJob, string>(async ({ greeting }) => async (job) => {
  if (job === "end") process.exit(7);
  const kept: Uint8Array[] = [];
  while (job === "hang" || job === "grow") {
    // Filled, since memory that is never touched is never taken.
    if (job === "grow") kept.push(new Uint8Array(2 ** 24).fill(1));
    if (kept.length > 100) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return `${greeting} from ${process.pid}`;
});
