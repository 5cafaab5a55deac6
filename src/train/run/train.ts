import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { InputError } from "../../input-error.ts";
import { sameSettings } from "../../learn/sample-settings.ts";
import { freshState } from "../../learn/step.ts";
import { requireNative } from "../../onnx/choose-provider.ts";
import { readSplits } from "../data/character-source.ts";
import { type Cache, openCache } from "../data/prepare.ts";
import { streamBatches } from "../step/batch-stream.ts";
import { createTrainStep } from "../step/train-step.ts";
import { type LoopResult, trainLoop } from "./loop.ts";
import { writeRunRecord } from "./run-record.ts";
import type { TrainOptions } from "./train-options.ts";
import { startValidation } from "./validation-process.ts";

/** A part of the cores: batches are made at the same time. */
const VALIDATION_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 4)));

/** Trains a network on a folder of samples; see {@link trainLoop} for the files of the run. */
export async function train(options: TrainOptions): Promise<LoopResult> {
  const { config, seed, device, threads } = options;
  await requireNative("Training");
  const cache = chosen(openCache(options.cache), options.list);
  checkCache(cache, options);
  const files = cache.files.filter((file) => file.split === "train");
  const held = cache.files.filter((file) => file.split === "val");
  const trainStep = await createTrainStep(config, {
    provider: device,
    seed,
    teachers: options.teachers,
    ...(threads > 0 && { threads }),
  });
  const validation =
    held.length > 0
      ? startValidation({
          config,
          files: held.map((file) => file.path),
          threads: VALIDATION_THREADS,
        })
      : undefined;
  try {
    if (options.from) trainStep.setState(freshState(options.from));
    const parameters = (await trainStep.getState()).parameters.length;
    const { provider } = trainStep;
    options.onStart?.({ provider, parameters, train: files.length, val: held.length });
    const { reverseLists, inputs, dropoutWidths, packed } = trainStep;
    const step = { reverseLists, inputs, dropoutWidths, packed };
    const setup = { files, config, step, augment: options.augment };
    const { original, balance, batchThreads, batchVertices } = options;
    recordRun(cache, options, { provider });
    return await trainLoop(
      {
        trainStep,
        batches: (from) =>
          streamBatches(setup, {
            from,
            seed,
            batchVertices,
            original,
            balance,
            threads: batchThreads,
            sameSize: provider !== "cpu",
          }),
        ...(validation && { validate: (state) => validation.score(state.average) }),
      },
      { ...options, run: fingerprint(cache, options) },
    );
  } finally {
    validation?.close();
    await trainStep.dispose();
  }
}

function chosen(cache: Cache, list: string | undefined): Cache {
  if (!list) return cache;
  const splits = readSplits(list);
  return { ...cache, files: cache.files.filter(({ name, split }) => splits.get(name) === split) };
}

function recordRun(cache: Cache, options: TrainOptions, chosen: Record<string, unknown>): void {
  const {
    config,
    cache: _,
    folder,
    list,
    from,
    teachers,
    onStart,
    onProgress,
    onWarning,
    signal,
    ...rest
  } = options;
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

/** Everything but the budget: a run may be extended. */
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
    throw new InputError(`${cache} was prepared for another preset than "${config.preset}".`);
  }
  if (settings.k < graph.k || settings.ball < graph.ball) {
    const has = `${settings.k} bones and ${settings.ball} neighbors per vertex`;
    const needs = `${graph.k} and ${graph.ball}`;
    throw new InputError(`${cache} has ${has}, but the network needs ${needs}; prepare it again.`);
  }
  if (!files.some(({ split }) => split === "train")) {
    throw new InputError(`${cache} has no characters to train on (split "train").`);
  }
}
