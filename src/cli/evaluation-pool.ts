import { availableParallelism } from "node:os";
import { failedCharacter } from "../evaluate/evaluate-character.ts";
import type { CharacterResult } from "../evaluate/evaluation.ts";
import { createEvaluationJob, type EvaluationSettings } from "./evaluation-job.ts";
import type { ListedCharacter } from "./evaluation-list.ts";
import { createProcessWorker, type ProcessWorker } from "./process-worker.ts";

/** Options for {@link evaluateAll}. */
export interface PoolOptions {
  /** Worker processes; one per core unless told. */
  jobs?: number;
  signal?: AbortSignal;
  onDone?: (result: CharacterResult, done: number, total: number) => void;
}

/**
 * Evaluates characters side by side in worker processes.
 *
 * Results come in the order of the characters and do not depend on the number of jobs (times do). A
 * process that dies costs the character it was at, and is replaced.
 */
export async function evaluateAll(
  characters: ListedCharacter[],
  settings: EvaluationSettings,
  options: PoolOptions = {},
): Promise<CharacterResult[]> {
  // Made here too, so that an unknown method is one message and not one per process.
  const inProcess = await createEvaluationJob(settings);
  const jobs = Math.min(options.jobs ?? availableParallelism(), characters.length);
  const results: CharacterResult[] = [];
  let next = 0;
  let done = 0;
  const work = async (run: (character: ListedCharacter) => Promise<CharacterResult>) => {
    while (next < characters.length) {
      options.signal?.throwIfAborted();
      const at = next++;
      results[at] = await run(characters[at]);
      options.onDone?.(results[at], ++done, characters.length);
    }
  };
  if (jobs <= 1 || !canFork()) {
    await work(inProcess);
    return results;
  }
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      const worker = createWorker(settings);
      options.signal?.addEventListener("abort", worker.stop);
      try {
        await work(worker.run);
      } finally {
        options.signal?.removeEventListener("abort", worker.stop);
        worker.stop();
      }
    }),
  );
  return results;
}

const isSource = import.meta.url.endsWith(".ts");

/** From sources a process takes a second to start: worth it only where the loader runs already. */
function canFork(): boolean {
  return !isSource || process.execArgv.some((argument) => argument.includes("tsx"));
}

function createWorker(
  settings: EvaluationSettings,
): ProcessWorker<ListedCharacter, CharacterResult> {
  return createProcessWorker({
    module: "./evaluation-worker",
    from: import.meta.url,
    settings,
    lost: ({ id }, why) => failedCharacter(id, settings.methods, new Error(`Not scored: ${why}.`)),
  });
}
