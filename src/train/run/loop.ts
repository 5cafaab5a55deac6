import { mkdirSync } from "node:fs";
import path from "node:path";
import { InputError } from "../../input-error.ts";
import { learningRateAt, type ScheduleOptions } from "../../learn/schedule.ts";
import type { TrainState, TrainStep } from "../../learn/step.ts";
import type { StreamedBatch } from "../step/batch-stream.ts";
import { loadCheckpoint, type RunProgress, saveCheckpoint } from "./checkpoint.ts";
import { openRunLog, type RunLog } from "./run-log.ts";
import type { ValidationScore } from "./validate.ts";

export type Learner = Pick<TrainStep, "step" | "getState" | "setState">;

/** The components of a run. */
export interface LoopParts {
  trainStep: Learner;
  /** Endless stream of batches from a position on. */
  batches(from: { epoch: number; index: number }): AsyncGenerator<StreamedBatch, void>;
  /** Scores the current network; absent without validation characters. */
  validate?: (state: TrainState) => Promise<ValidationScore>;
}

export interface LoopOptions {
  /** Output folder: last.checkpoint, best.checkpoint, log.jsonl. */
  folder: string;
  /** Hash of the settings; a run resumes only with the same. */
  run: string;
  /** Number of steps, or minutes of training. */
  budget: { steps: number } | { minutes: number };
  schedule: ScheduleOptions;
  weightDecay: number;
  /** Window of the averaged parameters, which are validated and exported, in steps. */
  averageSteps: number;
  /** Epochs between validations; there is always one at the end. */
  validateEvery: number;
  /** Steps between log lines. */
  logEvery: number;
  /** Seconds between checkpoints. */
  checkpointEvery: number;
  onProgress?: (line: ProgressLine) => void;
  onWarning?: (sentence: string) => void;
  /** Stops the run after the current step, with a checkpoint. */
  signal?: AbortSignal;
}

/** The progress of a run. */
export interface ProgressLine {
  step: number;
  epoch: number;
  loss: number;
  learningRate: number;
  /** Fraction of the budget spent. */
  progress: number;
  secondsLeft: number;
  best?: ValidationScore & { step: number };
}

/** The result of a run. */
export interface LoopResult {
  progress: RunProgress;
  state: TrainState;
  finished: boolean;
}

/**
 * Trains until the budget is spent.
 *
 * An interrupted run resumes from its last checkpoint; with a budget in steps the result is the
 * same as without interruption.
 */
export async function trainLoop(parts: LoopParts, options: LoopOptions): Promise<LoopResult> {
  mkdirSync(options.folder, { recursive: true });
  const run = await resume(parts.trainStep, options);
  const log = openRunLog(path.join(options.folder, "log.jsonl"), run.logLength);
  const clock = startClock(run.seconds);
  const validation = createValidation(run, parts, log, options);
  // Seconds waiting for batches and training since the last log line.
  const timing = { waited: 0, worked: 0, vertices: 0 };
  let lastSaved = clock();
  let ready = clock();
  if (run.unvalidated) await validation.start();
  if (fractionSpent(run, options) < 1) {
    for await (const { batch, epoch, index, last } of parts.batches(run)) {
      const begun = clock();
      const learningRate = learningRateAt(fractionSpent(run, options), options.schedule);
      const { weightDecay, averageSteps } = options;
      const settings = { learningRate, weightDecay, averageSteps, step: run.step + 1 };
      const { loss } = await parts.trainStep.step(batch.feeds, settings);
      if (!Number.isFinite(loss)) {
        throw new Error(`trainLoop: the loss of step ${run.step} is ${loss}; lower the rate.`);
      }
      advance(run, { epoch, index, last, loss, seconds: clock() });
      timing.waited += begun - ready;
      timing.worked += run.seconds - begun;
      timing.vertices += batch.vertices;
      const done = fractionSpent(run, options) >= 1;
      const stop = done || options.signal?.aborted;
      const isLogged = run.step % options.logEvery === 0 || done;
      if (isLogged) logLoss(run, log, learningRate, timing, options);
      const due = last && (epoch + 1) % options.validateEvery === 0;
      const save = async (): Promise<void> => {
        await saveLast(run, parts.trainStep, log, options);
        lastSaved = clock();
      };
      if (due || done) {
        await validation.finish();
        run.unvalidated = true;
        await save();
        await validation.start();
      }
      if (stop) await validation.finish();
      // A checkpoint during a validation would not contain its result.
      if (stop || (clock() - lastSaved >= options.checkpointEvery && !validation.running())) {
        await save();
      }
      if (stop) break;
      ready = clock();
    }
  }
  if (validation.running()) {
    await validation.finish();
    await saveLast(run, parts.trainStep, log, options);
  }
  const state = await parts.trainStep.getState();
  return { progress: run, state, finished: fractionSpent(run, options) >= 1 };
}

async function resume(trainStep: Learner, options: LoopOptions): Promise<RunProgress> {
  const saved = loadCheckpoint(checkpointPath(options.folder, "last"));
  if (!saved) {
    const loss = { sum: 0, count: 0 };
    const start = { step: 0, epoch: 0, index: 0, seconds: 0, logLength: 0, unvalidated: false };
    return { run: options.run, ...start, loss };
  }
  if (saved.progress.run !== options.run) {
    throw new InputError(
      `${options.folder} contains a run with other settings; use the same settings to resume it, or another folder.`,
    );
  }
  trainStep.setState(saved.state as TrainState);
  return saved.progress;
}

export function checkpointPath(folder: string, which: "last" | "best"): string {
  return path.join(folder, `${which}.checkpoint`);
}

/** Returns a clock in seconds that continues from earlier sessions. */
function startClock(before: number): () => number {
  const start = performance.now();
  return () => before + (performance.now() - start) / 1000;
}

function fractionSpent(run: RunProgress, { budget }: LoopOptions): number {
  return "steps" in budget ? run.step / budget.steps : run.seconds / 60 / budget.minutes;
}

function advance(
  run: RunProgress,
  done: { epoch: number; index: number; last: boolean; loss: number; seconds: number },
): void {
  run.step++;
  run.epoch = done.last ? done.epoch + 1 : done.epoch;
  run.index = done.last ? 0 : done.index + 1;
  run.seconds = done.seconds;
  run.loss.sum += done.loss;
  run.loss.count++;
}

function logLoss(
  run: RunProgress,
  log: RunLog,
  learningRate: number,
  timing: Record<"waited" | "worked" | "vertices", number>,
  options: LoopOptions,
): void {
  const loss = run.loss.sum / run.loss.count;
  run.loss = { sum: 0, count: 0 };
  const { step, epoch, seconds } = run;
  const round = (value: number) => Math.round(value * 1e3) / 1e3;
  const spent = Object.entries(timing).map(([name, value]) => [name, round(value)]);
  log.write({ step, epoch, loss, learningRate, seconds, timing: Object.fromEntries(spent) });
  Object.assign(timing, { waited: 0, worked: 0, vertices: 0 });
  const progress = fractionSpent(run, options);
  const secondsLeft = progress > 0 ? (seconds / progress) * (1 - progress) : 0;
  const best = run.best && { best: run.best };
  options.onProgress?.({ step, epoch, loss, learningRate, progress, secondsLeft, ...best });
}

/** Runs validations concurrently with training. */
function createValidation(
  run: RunProgress,
  { trainStep, validate }: LoopParts,
  log: RunLog,
  options: LoopOptions,
) {
  let current: Promise<void> | undefined;
  const score = async (at: RunProgress, state: TrainState): Promise<void> => {
    const val = await validate!(state);
    log.write({ step: at.step, epoch: at.epoch, val });
    if (run.best && run.best.l1 <= val.l1) return;
    run.best = { ...val, step: at.step };
    const progress = { ...at, best: run.best };
    saveCheckpoint(checkpointPath(options.folder, "best"), { progress, state });
  };
  return {
    /** Starts scoring the current network; requires the previous validation to be finished. */
    async start(): Promise<void> {
      run.unvalidated = false;
      if (!validate) return;
      const at = { ...run };
      current = score(at, await trainStep.getState())
        .catch((error: Error) => {
          // A failed validation must not end the training.
          log.write({ step: at.step, epoch: at.epoch, failed: error.message });
          options.onWarning?.(`The validation at step ${at.step} failed: ${error.message}`);
        })
        .finally(() => {
          current = undefined;
        });
    },
    running: (): boolean => current !== undefined,
    finish: async () => current,
  };
}

async function saveLast(
  run: RunProgress,
  trainStep: Learner,
  log: RunLog,
  { folder }: LoopOptions,
): Promise<void> {
  run.logLength = log.length();
  const state = await trainStep.getState();
  saveCheckpoint(checkpointPath(folder, "last"), { progress: run, state });
}
