import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { InputError } from "../../input-error.ts";
import { sameSettings } from "../../learn/sample-settings.ts";
import { freshState } from "../../learn/step.ts";
import { requireNative } from "../../onnx/choose-provider.ts";
import { readSplits } from "../data/character-source.ts";
import { type Cache, openCache } from "../data/prepare.ts";
import type { SampleFile } from "../data/sample-file.ts";
import { streamBatches } from "../step/batch-stream.ts";
import { createTrainStep } from "../step/train-step.ts";
import { type LoopResult, trainLoop } from "./loop.ts";
import { writeRunRecord } from "./run-record.ts";
import type { TrainOptions } from "./train-options.ts";
import { startValidation } from "./validation-process.ts";

/** A fraction of the CPU, because batches are built at the same time. */
const VALIDATION_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 4)));

/** Trains a network on a folder of samples; see {@link trainLoop} for the output. */
export async function train(options: TrainOptions): Promise<LoopResult> {
  const { config, seed, device, threads } = options;
  await requireNative("Training");
  const all = openCache(options.cache);
  const splits = options.list ? readSplits(options.list) : undefined;
  const isListed = ({ name, split }: SampleFile) => !splits || splits.get(name) === split;
  const cache = { ...all, files: all.files.filter(isListed) };
  checkCache(cache, options);
  const files = cache.files.filter((file) => file.split === "train");
  const held = cache.files.filter((file) => file.split === "val");
  const trainStep = await createTrainStep(config, {
    provider: device,
    seed,
    teachers: options.teachers,
    ...(threads > 0 && { threads }),
  });
  const paths = held.map((file) => file.path);
  const validation = paths.length
    ? startValidation({ config, files: paths, threads: VALIDATION_THREADS })
    : undefined;
  try {
    if (options.from) trainStep.setState(freshState(options.from));
    const parameters = (await trainStep.getState()).parameters.length;
    const { provider } = trainStep;
    options.onStart?.({ provider, parameters, train: files.length, val: held.length });
    const { reverseLists, inputs, dropoutWidths, packed } = trainStep;
    const step = { reverseLists, inputs, dropoutWidths, packed };
    const setup = { files, config, step, augment: options.augment };
    const { original, balance, batchVertices } = options;
    const stream = { seed, batchVertices, original, balance, threads: options.batchThreads };
    const sameSize = provider !== "cpu";
    recordRun(cache, options, { provider });
    return await trainLoop(
      {
        trainStep,
        batches: (from) => streamBatches(setup, { ...stream, from, sameSize }),
        ...(validation && { validate: (state) => validation.score(state.average) }),
      },
      { ...options, run: fingerprint(cache, options) },
    );
  } finally {
    validation?.close();
    await trainStep.dispose();
  }
}

function recordRun(cache: Cache, options: TrainOptions, chosen: Record<string, unknown>): void {
  const { config, cache: _, folder, list, from, teachers, ...others } = options;
  const { onStart, onProgress, onWarning, signal, ...rest } = others;
  const names = (split: string): string[] =>
    cache.files.filter((file) => file.split === split).map(({ name }) => name);
  mkdirSync(folder, { recursive: true });
  writeRunRecord(folder, {
    config,
    samples: cache.settings,
    train: names("train"),
    val: names("val"),
    options: {
      ...rest,
      ...chosen,
      fineTuned: from !== undefined,
      ...(teachers && { teachers: teachers.parameters.length, teacherShare: teachers.share }),
    },
  });
}

/** Hashes everything but the budget, which may be extended. */
function fingerprint(cache: Cache, options: TrainOptions): string {
  const { config, seed, original, balance, augment, schedule, weightDecay, averageSteps } = options;
  const names = cache.files.map(({ key, name, split }) => [key, name, split]);
  const facts = [config, seed, original, balance, augment, schedule, weightDecay, averageSteps];
  const hash = (data: Float32Array): string => createHash("sha256").update(data).digest("hex");
  const from = options.from && hash(options.from);
  const { teachers } = options;
  const taught = teachers ? [[teachers.share, ...teachers.parameters.map(hash)]] : [];
  return createHash("sha256")
    .update(JSON.stringify([facts, options.batchVertices, names, from, ...taught]))
    .digest("hex")
    .slice(0, 16);
}

function checkCache({ files, settings }: Cache, { cache, config }: TrainOptions): void {
  const { measure, graph } = config;
  if (!sameSettings(settings.measure, measure)) {
    throw new InputError(
      `${cache} was not measured as the preset "${config.preset}" requires; prepare it again for that preset.`,
    );
  }
  if (settings.k < graph.k || settings.ball < graph.ball) {
    throw new InputError(
      `${cache} has ${settings.k} bones and ${settings.ball} neighbors per vertex, but the network needs ${graph.k} and ${graph.ball}; prepare it again.`,
    );
  }
  if (!files.some(({ split }) => split === "train")) {
    throw new InputError(`${cache} contains no characters to train on (split "train").`);
  }
}
