import path from "node:path";
import { writeWhole } from "../../disk/write-whole.ts";
import { readModel, writeModel } from "../../files/model-files.ts";
import type { ModelConfig } from "../../graph/model-config.ts";
import { AUGMENT_DEFAULTS, type AugmentOptions } from "../../learn/augment/augment.ts";
import { SCHEDULE_DEFAULTS } from "../../learn/schedule.ts";
import { PRESETS } from "../../network/presets.ts";
import { requireNative } from "../../onnx/choose-provider.ts";
import { isCache } from "../../train/data/prepare.ts";
import { checkpointPath, type ProgressLine } from "../../train/run/loop.ts";
import { overrideConfig } from "../../train/run/override-config.ts";
import { plotRun, readRunLog } from "../../train/run/run-log.ts";
import { GPU_FAILED, GpuFailure, SUPERVISED, supervise } from "../../train/run/supervise.ts";
import { TRAIN_DEFAULTS, type TrainOptions } from "../../train/run/train-options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  choice,
  integer,
  type NumberList,
  number,
  numbersIn,
  seed,
  text,
} from "../command.ts";
import { printPlan } from "../file-jobs.ts";
import { modelLine } from "./export.ts";
import { prepareSummary, prepareWith, SAMPLE_OPTIONS } from "./prepare.ts";

const RUN_NUMBERS = {
  "weight-decay": { setting: "weightDecay", min: 0 },
  "average-steps": { setting: "averageSteps", min: 1 },
  "batch-threads": { setting: "batchThreads", min: 0, max: 256 },
  "validate-every": { setting: "validateEvery", min: 1 },
  "checkpoint-every": { setting: "checkpointEvery", min: 0 },
  original: { setting: "original", min: 0, max: 1 },
  balance: { setting: "balance", min: 0, max: 1 },
  "warm-up": { setting: "warmUp", min: 0, max: 1 },
  floor: { setting: "floor", min: 0, max: 1 },
  "teacher-share": { setting: "teacherShare", min: 0, max: 1 },
} as const;

const AUGMENT_NUMBERS: NumberList<keyof AugmentOptions> = {
  mirror: { setting: "mirror", min: 0, max: 1 },
  stretch: { setting: "stretch", min: 0 },
  turn: { setting: "turn", min: 0 },
  tumble: { setting: "tumble", min: 0, max: 1 },
  merge: { setting: "merge", min: 0, max: 1 },
  jitter: { setting: "jitter", min: 0 },
  "hide-all-names": { setting: "hideAllNames", min: 0, max: 1 },
  "hide-names": { setting: "hideNames", min: 0, max: 1 },
};

/** Low enough to preserve what the model has learned. */
const FINE_TUNING_RATE = 2e-4;

/** Teachers agree with each other where artists do not, so they count as much as the painted weights. */
const TEACHER_SHARE = 0.5;

/** `heterskin train`: trains a network on rigged files. */
export const train: Command = {
  name: "train",
  summary: "Train a network, or fine-tune one on your own characters.",
  usage: "train <folder, pack or cache> [--out run] [--minutes n] [options]",
  positionals: [1, 1],
  options: {
    ...SAMPLE_OPTIONS,
    out: text("folder", "Folder of the run.", "run"),
    minutes: number("n", [0, Infinity], "Training time (default 30)."),
    session: number(
      "minutes",
      [0, Infinity],
      "Stop after this time with a checkpoint; the same command continues later.",
    ),
    steps: integer("n", [1, Infinity], "Train for this many steps instead of a time."),
    from: text("model", "Model to fine-tune: a file, or heterskin for the default model."),
    teachers: text("a.onnx,b.onnx", "Models of the same architecture to distill as well."),
    device: choice("name", ["auto", "webgpu", "cpu"], "Device to train on.", TRAIN_DEFAULTS.device),
    set: text("a=1,b.c=2", "Entries of the network's configuration to change.", ""),
    "learning-rate": number(
      "x",
      [0, Infinity],
      `Peak learning rate (default ${SCHEDULE_DEFAULTS.learningRate}, with --from ${FINE_TUNING_RATE}).`,
    ),
    "batch-vertices": integer(
      "n",
      [1, Infinity],
      "Vertices per step.",
      TRAIN_DEFAULTS.batchVertices,
    ),
    threads: integer("n", [0, 256], "Threads of the network on a CPU.", TRAIN_DEFAULTS.threads),
    seed: seed("Seed of the run.", TRAIN_DEFAULTS.seed),
    run: text("a=1,b=2", `Other settings of the run: ${Object.keys(RUN_NUMBERS).join(", ")}.`),
    augment: text(
      "a=1,b=2",
      `Strength of augmentations: ${Object.keys(AUGMENT_NUMBERS).join(", ")}.`,
    ),
  },
  examples: [
    ["heterskin train cache --minutes 60", "Trains on samples made by prepare."],
    ["heterskin train rigs --from heterskin --minutes 10", "Fine-tunes on a laptop."],
    ["heterskin train cache --preset paper --steps 5000 --seed 2", "The paper's network."],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  if (args.flag("dry-run")) {
    const out = args.requireText("out");
    const names = ["model.onnx", "model.json", "plot.svg", "log.jsonl"];
    return printPlan(
      context,
      [args.positionals[0]],
      names.map((name) => path.join(out, name)),
    );
  }
  // Fails before samples are made, which takes minutes.
  await requireNative("Training");
  if (args.text("device") === "cpu") return runHere(args, context);
  if (process.env[SUPERVISED]) return runHere(args, context).catch(giveUp);
  const folder = args.requireText("out");
  const status = await supervise(
    process.execPath,
    [...process.execArgv, ...process.argv.slice(1)],
    {
      checkpoint: checkpointPath(folder, "last"),
      onRestart: (reason) => context.warn(`${reason}; continuing from the last checkpoint.`),
    },
  );
  if (status !== 0) process.exit(status);

  function giveUp(error: Error): void {
    if (!(error instanceof GpuFailure)) throw error;
    context.warn(error.message);
    process.exit(GPU_FAILED);
  }
}

async function runHere(args: CommandArguments, context: CommandContext): Promise<void> {
  // Loaded on demand: the network library is large, and help does not need it.
  const { train: trainOn } = await import("../../train/run/train.ts");
  const folder = args.requireText("out");
  const options = await trainOptions(args, context, folder);
  const result = await trainOn({
    ...options,
    onStart: ({ provider, parameters, train, val }) =>
      context.print(
        `${parameters} parameters on ${provider}; ${train} training and ${val} validation characters.`,
      ),
    onProgress: createReporter(context),
    onWarning: context.warn,
  });
  const plot = plotRun(readRunLog(path.join(folder, "log.jsonl")));
  writeWhole([[path.join(folder, "plot.svg"), Buffer.from(plot)]]);
  if (!result.finished) {
    context.print(
      `Stopped at step ${result.progress.step}; the same command continues from there.`,
    );
    context.result({ finished: false, ...result.progress });
    return;
  }
  const { best } = result.progress;
  if (best) context.print(`best: ${scoreText(best)}`);
  const model = path.join(folder, "model.onnx");
  const written = await writeModel(folder, model, { which: best ? "best" : "last" });
  context.print(modelLine(written));
  context.result({ finished: true, ...result.progress, ...written });
}

async function trainOptions(
  args: CommandArguments,
  context: CommandContext,
  folder: string,
): Promise<TrainOptions> {
  const numbers = numbersIn("--run", args.text("run"), RUN_NUMBERS);
  const { warmUp, floor, teacherShare, ...runNumbers } = numbers;
  const given = await startingPoint(args);
  const teachers = await teachersFor(args, given.config, teacherShare);
  const cache = await cacheFor(args, context, folder, given.config);
  const defaultRate = given.from ? FINE_TUNING_RATE : SCHEDULE_DEFAULTS.learningRate;
  const steps = args.number("steps");
  return {
    ...TRAIN_DEFAULTS,
    ...given,
    cache,
    teachers,
    // The table has already filtered a folder of rigged files.
    list: isCache(args.positionals[0]) ? args.text("list") : undefined,
    folder,
    budget: steps ? { steps } : { minutes: args.number("minutes") ?? 30 },
    device: args.text("device") as TrainOptions["device"],
    batchVertices: args.requireNumber("batch-vertices"),
    threads: args.requireNumber("threads"),
    seed: args.requireNumber("seed"),
    ...runNumbers,
    schedule: {
      ...SCHEDULE_DEFAULTS,
      learningRate: args.number("learning-rate") ?? defaultRate,
      ...(warmUp !== undefined && { warmUp }),
      ...(floor !== undefined && { floor }),
    },
    augment: {
      ...AUGMENT_DEFAULTS,
      ...numbersIn("--augment", args.text("augment"), AUGMENT_NUMBERS),
    },
    signal: stopSignal(args, context),
  };
}

/** Aborts on Ctrl-C, on SIGTERM (sent by cluster schedulers) or at the end of the session. */
function stopSignal(args: CommandArguments, context: CommandContext): AbortSignal {
  const stop = new AbortController();
  context.signal.addEventListener("abort", () => stop.abort());
  const minutes = args.number("session");
  if (minutes !== undefined) setTimeout(() => stop.abort(), minutes * 60_000).unref();
  return stop.signal;
}

async function startingPoint(
  args: CommandArguments,
): Promise<{ config: ModelConfig; from?: Float32Array }> {
  const from = args.text("from");
  if (!from)
    return { config: overrideConfig(PRESETS[args.requireText("preset")], args.requireText("set")) };
  const { readParameters } = await import("../../train/step/parameters.ts");
  const { config, parameters } = await readParameters(await readModel(from));
  return { config: overrideConfig(config, args.requireText("set")), from: parameters };
}

async function teachersFor(
  args: CommandArguments,
  config: ModelConfig,
  share = TEACHER_SHARE,
): Promise<TrainOptions["teachers"]> {
  const names = args.text("teachers")?.split(",") ?? [];
  if (names.length === 0) return undefined;
  const { parametersLike } = await import("../../train/step/parameters.ts");
  return { parameters: await parametersLike(config, names, readModel), share };
}

/** Returns the folder of samples: the given one, or one prepared from the given files in the run's folder. */
async function cacheFor(
  args: CommandArguments,
  context: CommandContext,
  folder: string,
  config: ModelConfig,
): Promise<string> {
  const [given] = args.positionals;
  if (isCache(given)) return given;
  const cache = path.join(folder, "cache");
  context.print(prepareSummary(await prepareWith(given, cache, config.measure, args, context)));
  return cache;
}

/** Minimum interval between two printed lines (s). */
const INTERVAL = 20;

function createReporter(context: CommandContext): (line: ProgressLine) => void {
  let printedAt = Number.NEGATIVE_INFINITY;
  let bestStep: number | undefined;
  return (line) => {
    const text = progressText(line);
    context.progress(text, line.progress);
    const now = performance.now() / 1000;
    const isBetter = line.best?.step !== bestStep;
    if (!isBetter && now - printedAt < INTERVAL) return;
    context.print(text);
    printedAt = now;
    bestStep = line.best?.step;
  };
}

function progressText({ step, epoch, loss, secondsLeft, best }: ProgressLine): string {
  const minutes = secondsLeft / 60;
  const left = minutes >= 1 ? `${minutes.toFixed(0)} min` : `${secondsLeft.toFixed(0)} s`;
  const score = best ? `, best ${scoreText(best)}` : "";
  return `step ${step}, epoch ${epoch}, loss ${loss.toFixed(4)}${score}, ${left} left`;
}

function scoreText(best: NonNullable<ProgressLine["best"]>): string {
  const { l1, distance, precision, recall, step } = best;
  const percent = (fraction: number): string => (fraction * 100).toFixed(1);
  return `val L1 ${l1.toFixed(4)}, distance ${distance.toFixed(5)}, P ${percent(precision)}, R ${percent(recall)} (step ${step})`;
}
