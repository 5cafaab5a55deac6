import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { writeText } from "../../disk/write-whole.ts";
import type { ModelConfig } from "../../graph/model-config.ts";
import { InputError } from "../../input-error.ts";
import type { SampleSettings } from "../../learn/sample-settings.ts";
import { readJson } from "../data/prepare.ts";
import { exportModel } from "../step/export-model.ts";
import { meanParameters, parametersLike, readParameters } from "../step/parameters.ts";
import { loadCheckpoint } from "./checkpoint.ts";
import { checkpointPath } from "./loop.ts";

/** The settings of a run, written at its start and needed to export its checkpoints. */
export interface RunRecord {
  config: ModelConfig;
  samples: SampleSettings;
  /** Names of the training and validation characters. */
  train: string[];
  val: string[];
  /** Options that are not in the configuration: seed, rates, augmentation and so on. */
  options: Record<string, unknown>;
}

export function writeRunRecord(folder: string, record: RunRecord): void {
  writeText(path.join(folder, "run.json"), `${JSON.stringify(record, null, 1)}\n`);
}

/** A model and its facts. */
export interface ExportedRun {
  model: Uint8Array;
  /** Content of the `.json` next to the model. */
  facts: Record<string, unknown>;
}

export interface ExportRunOptions {
  /** `best` by the L1 score on the validation characters, or `last`. */
  which: "best" | "last";
  /** See `ModelConfig`. */
  temperature?: number | undefined;
  heat?: number | undefined;
  /** Models to average with, see `meanParameters`. */
  meanWith?: string[] | undefined;
  /** Extra entries for the model's metadata and its `.json`. */
  notes?: Record<string, string> | undefined;
}

/**
 * Exports the averaged parameters of a run's checkpoint, or an existing model, in half precision,
 * with metadata about its training.
 *
 * @param source folder of a run, or a `.onnx` file
 */
export async function exportRun(source: string, options: ExportRunOptions): Promise<ExportedRun> {
  const { notes = {}, temperature, heat, meanWith = [] } = options;
  const { parameters: own, ...known } = source.endsWith(".onnx")
    ? await openModel(source)
    : openRun(source, options.which);
  const config = {
    ...known.config,
    ...(temperature !== undefined && { temperature }),
    ...(heat !== undefined && { heat }),
  };
  const parameters = meanParameters([own, ...(await parametersLike(config, meanWith, modelBytes))]);
  const training = JSON.stringify(known.facts.training ?? {});
  const model = await exportModel(config, parameters, { ...notes, training }, true);
  const size = { bytes: model.length, parameters: parameters.length };
  return { model, facts: { ...notes, ...size, ...known.facts, config } };
}

interface Exportable {
  config: ModelConfig;
  parameters: Float32Array;
  facts: Record<string, unknown>;
}

function openRun(folder: string, which: "best" | "last"): Exportable {
  const file = path.join(folder, "run.json");
  if (!existsSync(file)) throw new InputError(`${folder} is not the folder of a training run.`);
  const { config, samples, train, val, options } = readJson<RunRecord>(file);
  const checkpoint = loadCheckpoint(checkpointPath(folder, which));
  if (!checkpoint) throw new InputError(`${folder} has no ${which} checkpoint yet.`);
  const split = { train: train.length, val: val.length, trainNames: train, valNames: val };
  const { step, epoch, seconds, best } = checkpoint.progress;
  const training = { step, epoch, minutes: Math.round(seconds / 6) / 10, val: best };
  const facts = { training, config, options, samples, split };
  return { config, parameters: checkpoint.state.average, facts };
}

/** Opens a model with the facts of the `.json` next to it, if there is one. */
async function openModel(file: string): Promise<Exportable> {
  const model = modelBytes(file);
  const sidecar = file.replace(/\.onnx$/, ".json");
  const all = existsSync(sidecar) ? readJson<Record<string, unknown>>(sidecar) : {};
  const { version, commit, bytes, parameters: _, ...facts } = all;
  return { ...(await readParameters(model)), facts };
}

function modelBytes(file: string): Uint8Array {
  if (!existsSync(file)) throw new InputError(`${file}: no such model.`);
  return new Uint8Array(readFileSync(file));
}
