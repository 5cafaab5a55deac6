import { InputError } from "../input-error.ts";
import type { FarmJob } from "./queue.ts";

/** Longest time limit of a job in seconds: a week. */
const MAX_TIMEOUT = 7 * 24 * 3600;
const MAX_BYTES = 2 ** 40;

/**
 * Throws `InputError` for a job that was not queued by this program: the scheduler computes with its numbers,
 * and a wrong one would harm the jobs after it.
 */
export function checkJob(job: FarmJob): void {
  const refuse = (what: string) => new InputError(`The job is not valid: ${what}.`);
  if (!isObject(job)) throw refuse("it has no data");
  const { file, settings, timeout, beside = [] } = job;
  if (!isObject(file)) throw refuse("it names no file");
  for (const key of ["file", "output", "inputPath", "outputPath"] as const) {
    if (typeof file[key] !== "string" || file[key] === "") throw refuse(`file.${key} is missing`);
  }
  if (file.skeletonPath !== undefined && typeof file.skeletonPath !== "string") {
    throw refuse("file.skeletonPath must be a path");
  }
  if (!(file.bytes >= 0 && file.bytes <= MAX_BYTES)) throw refuse("file.bytes must be a size");
  if (!Array.isArray(beside) || beside.some((key) => typeof key !== "string")) {
    throw refuse("beside must be a list of keys");
  }
  if (!isObject(settings) || !isObject(settings.bind)) throw refuse("it has no settings");
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT)) {
    throw refuse(`timeout must be a number of seconds up to ${MAX_TIMEOUT}, got ${timeout}`);
  }
  const { maxMemory } = settings.bind;
  if (maxMemory !== undefined && !(Number(maxMemory) > 0)) throw refuse("maxMemory must be a size");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
