import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { loadCheckpoint, type RunProgress } from "./checkpoint.ts";
import { exportModel } from "./export-model.ts";
import { checkpointPath } from "./loop.ts";
import type { SampleSettings } from "./sample-settings.ts";
import { writeWhole } from "./write-whole.ts";

/** What a run was: written when it starts, so that its checkpoints can be turned into models. */
export interface RunRecord {
  config: ModelConfig;
  samples: SampleSettings;
  /** Names of the characters learned from and validated on. */
  train: string[];
  val: string[];
  /** The options that are not in the configuration: seed, rates, augmentation and so on. */
  options: Record<string, unknown>;
}

/** Writes `run.json` into the folder of a run. */
export function writeRunRecord(folder: string, record: RunRecord): void {
  const text = `${JSON.stringify(record, null, 1)}\n`;
  writeWhole(path.join(folder, "run.json"), new TextEncoder().encode(text));
}

/** Reads the record of a run. */
export function readRunRecord(folder: string): RunRecord {
  const file = path.join(folder, "run.json");
  if (!existsSync(file)) throw new InputError(`${folder} is not the folder of a training run.`);
  return JSON.parse(readFileSync(file, "utf8")) as RunRecord;
}

/** A model with what is to be known about it. */
export interface ExportedRun {
  model: Uint8Array;
  /** For the `.json` beside the model. */
  facts: Record<string, unknown>;
}

/**
 * Makes a model of the averaged parameters of a checkpoint, stored in half precision; its metadata say
 * how it came about.
 *
 * @param which `best` by the L1 score on the validation characters, or the `last`
 * @param notes more entries for both
 */
export async function exportRun(
  folder: string,
  which: "best" | "last",
  notes: Record<string, string> = {},
): Promise<ExportedRun> {
  const { config, samples, train, val, options } = readRunRecord(folder);
  const checkpoint = loadCheckpoint(checkpointPath(folder, which));
  if (!checkpoint) throw new InputError(`${folder} has no ${which} checkpoint yet.`);
  const training = trainingFacts(checkpoint.progress);
  const text = Object.fromEntries(Object.entries({ ...notes, training: JSON.stringify(training) }));
  const model = await exportModel(config, checkpoint.state.average, text, true);
  const facts = {
    ...notes,
    bytes: model.length,
    parameters: checkpoint.state.average.length,
    training,
    config,
    options,
    samples,
    split: { train: train.length, val: val.length, trainNames: train, valNames: val },
  };
  return { model, facts };
}

function trainingFacts(progress: RunProgress): Record<string, unknown> {
  const { step, epoch, seconds, best } = progress;
  return { step, epoch, minutes: Math.round(seconds / 6) / 10, val: best };
}
