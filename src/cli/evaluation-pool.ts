import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { failedCharacter } from "../evaluate/evaluate-character.ts";
import type { CharacterResult } from "../evaluate/evaluation.ts";
import { createEvaluationJob, type EvaluationSettings } from "./evaluation-job.ts";
import type { ListedCharacter } from "./evaluation-list.ts";
import type { WorkerAnswer, WorkerRequest } from "./evaluation-worker.ts";

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

/** Node 20 runs no TypeScript of its own: from sources, workers need the loader we run under. */
function canFork(): boolean {
  return !isSource || process.execArgv.some((argument) => argument.includes("tsx"));
}

function createWorker(settings: EvaluationSettings) {
  const file = fileURLToPath(
    new URL(`./evaluation-worker.${isSource ? "ts" : "js"}`, import.meta.url),
  );
  let child: ChildProcess | undefined;
  const start = () => {
    // Warnings of libraries belong to stderr; stdout is for the caller's tables.
    child = fork(file, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // JSON, the default, would turn NaN into null.
      serialization: "advanced",
    });
    child.send({ settings } satisfies WorkerRequest);
    return child;
  };
  const run = (character: ListedCharacter) =>
    new Promise<CharacterResult>((resolve) => {
      const process = child?.connected ? child : start();
      const finish = (result: CharacterResult) => {
        process.removeAllListeners();
        resolve(result);
      };
      process.once("message", (result) => finish(result as WorkerAnswer));
      process.once("error", (error) => finish(lost(character, settings, error.message)));
      process.once("exit", (code, signal) => {
        child = undefined;
        finish(lost(character, settings, `the worker process ended (${signal ?? `code ${code}`})`));
      });
      process.send({ character } satisfies WorkerRequest);
    });
  return { run, stop: () => child?.kill() };
}

function lost({ id }: ListedCharacter, { methods }: EvaluationSettings, why: string) {
  return failedCharacter(id, methods, new Error(`Not scored: ${why}.`));
}
