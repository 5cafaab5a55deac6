import { availableParallelism } from "node:os";
import { failedCharacter } from "../evaluate/evaluate-character.ts";
import type { CharacterResult } from "../evaluate/evaluation.ts";
import { createLocalPool, createWorkerPool, inFlight } from "../workers/worker-pool.ts";
import { createEvaluationJob, type EvaluationSettings } from "./evaluation-job.ts";
import type { ListedCharacter } from "./evaluation-list.ts";

/** Options for {@link evaluateAll}. */
export interface PoolOptions {
  /** Worker processes; one per core unless told. */
  jobs?: number | undefined;
  signal?: AbortSignal | undefined;
  onDone?: ((result: CharacterResult, done: number, total: number) => void) | undefined;
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
  const pool =
    jobs > 1 && canFork()
      ? createWorkerPool<ListedCharacter, CharacterResult>(jobs, {
          ...{ kind: "process", module: "./evaluation-job", name: "createEvaluationJob", settings },
          from: import.meta.url,
        })
      : createLocalPool(inProcess);
  const results: CharacterResult[] = [];
  let done = 0;
  options.signal?.addEventListener("abort", pool.close);
  try {
    await inFlight(characters, Math.max(1, jobs), async (character, at) => {
      options.signal?.throwIfAborted();
      results[at] = await pool.run(character).catch((error) => lost(character, error));
      // What was ended with its process is no result.
      options.signal?.throwIfAborted();
      options.onDone?.(results[at], ++done, characters.length);
    });
  } finally {
    options.signal?.removeEventListener("abort", pool.close);
    await pool.close();
  }
  return results;

  function lost({ id }: ListedCharacter, { message }: Error): CharacterResult {
    return failedCharacter(id, settings.methods, new Error(`Not scored: ${message}.`));
  }
}

const isSource = import.meta.url.endsWith(".ts");

/** From sources a process takes a second to start: worth it only where the loader runs already. */
function canFork(): boolean {
  return !isSource || process.execArgv.some((argument) => argument.includes("tsx"));
}
