import type { CharacterResult } from "../evaluate/evaluation.ts";
import {
  createEvaluationJob,
  type EvaluationJob,
  type EvaluationSettings,
} from "./evaluation-job.ts";
import type { ListedCharacter } from "./evaluation-list.ts";

/** What the pool sends: the settings first, then one character after another. */
export type WorkerRequest = { settings: EvaluationSettings } | { character: ListedCharacter };
/** What comes back for each character. */
export type WorkerAnswer = CharacterResult;

let job: Promise<EvaluationJob> | undefined;

process.on("message", async (request: WorkerRequest) => {
  if ("settings" in request) {
    job = createEvaluationJob(request.settings);
    return;
  }
  const result: WorkerAnswer = await (await job!)(request.character);
  process.send!(result);
});
