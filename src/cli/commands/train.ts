import path from "node:path";
import { writeWhole } from "../../disk/write-whole.ts";
import { readModel } from "../../files/load-model.ts";
import { writeModel } from "../../files/write-model.ts";
import type { ModelConfig } from "../../graph/model-config.ts";
import { AUGMENT_DEFAULTS, type AugmentOptions } from "../../learn/augment/augment.ts";
import { SCHEDULE_DEFAULTS } from "../../learn/schedule.ts";
import { PRESETS } from "../../network/presets.ts";
import { requireNative } from "../../onnx/choose-provider.ts";
import { encodePng } from "../../picture/png.ts";
import { isCache } from "../../train/data/prepare.ts";
import { checkpointPath, type ProgressLine } from "../../train/run/loop.ts";
import { overrideConfig } from "../../train/run/override-config.ts";
import { plotRun, readRunLog } from "../../train/run/run-log.ts";
import { GPU_GAVE_UP, GpuFailure, SUPERVISED, supervise } from "../../train/run/supervise.ts";
import { TRAIN_DEFAULTS, type TrainOptions } from "../../train/run/train-options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  choice,
  number,
  seed,
  text,
  whole,
} from "../command.ts";
import { modelLine } from "./export.ts";
import { prepareSummary, prepareWith, SAMPLE_OPTIONS } from "./prepare.ts";

const upTo = (help: string, fallback: number, most = Infinity): CommandOption =>
  number("number", [0, most], help, fallback);

/** Numbers of a training run, named like the options of `train`. */
const TRAIN_NUMBERS: Record<string, CommandOption> = {
  "weight-decay": upTo("Pull of matrices to zero.", TRAIN_DEFAULTS.weightDecay),
  "average-steps": upTo("Steps the kept parameters average.", TRAIN_DEFAULTS.averageSteps),
  "batch-vertices": upTo("Vertices a step.", TRAIN_DEFAULTS.batchVertices),
  "batch-threads": upTo("Threads that make batches.", TRAIN_DEFAULTS.batchThreads, 256),
  threads: upTo("Threads of the network on a processor.", TRAIN_DEFAULTS.threads, 256),
  "validate-every": upTo("Epochs between validations.", TRAIN_DEFAULTS.validateEvery),
  "checkpoint-every": upTo("Seconds between checkpoints.", TRAIN_DEFAULTS.checkpointEvery),
  original: upTo("Share of characters seen as drawn.", TRAIN_DEFAULTS.original, 1),
  balance: upTo(
    "How far skeletons count alike, rather than characters.",
    TRAIN_DEFAULTS.balance,
    1,
  ),
  seed: seed("Seed of the run.", TRAIN_DEFAULTS.seed),
};

const AUGMENT_NUMBERS: Record<string, CommandOption> = {
  mirror: upTo("Probability of mirrored samples.", AUGMENT_DEFAULTS.mirror, 1),
  stretch: upTo("Deviation of log scale per axis.", AUGMENT_DEFAULTS.stretch),
  turn: upTo("Deviation of turns about y, degrees.", AUGMENT_DEFAULTS.turn),
  tumble: upTo("Probability of samples turned freely.", AUGMENT_DEFAULTS.tumble, 1),
  merge: upTo("Largest share of bones merged.", AUGMENT_DEFAULTS.merge, 1),
  jitter: upTo("Deviation of log distances.", AUGMENT_DEFAULTS.jitter),
  "hide-all-names": upTo("Probability of nameless samples.", AUGMENT_DEFAULTS.hideAllNames, 1),
  "hide-names": upTo("Probability of nameless joints.", AUGMENT_DEFAULTS.hideNames, 1),
};

/** Gentle enough not to forget what the model knows. */
const FINE_TUNING_RATE = 2e-4;

/** Teachers have seen what the artists did, and agree where artists do not. */
const TEACHER_SHARE = 0.5;

/** Trains a network on rigged files. */
export const train: Command = {
  name: "train",
  summary: "Train a network, or fine-tune one on your own characters.",
  usage: "train <folder, pack or cache> [--out run] [--minutes n] [options]",
  positionals: [1, 1],
  options: {
    ...SAMPLE_OPTIONS,
    out: text("folder", "Folder of the run.", "run"),
    minutes: number("number", [0, Infinity], "Train for so long; 30 unless told."),
    session: number(
      "minutes",
      [0, Infinity],
      "Stop after so long with a checkpoint; the same command goes on later.",
    ),
    steps: whole("number", [1, Infinity], "Train for so many steps instead."),
    from: text(
      "model",
      "Start from this model (fine-tuning): a file, or heterskin for the package's own.",
    ),
    teachers: text(
      "a.onnx,b.onnx",
      "Learn from what these models say together, too (distillation); they must be of the same kind.",
    ),
    "teacher-share": upTo("What the teachers count, beside the artists.", TEACHER_SHARE, 1),
    device: choice("text", ["auto", "webgpu", "cpu"], "Where to train.", TRAIN_DEFAULTS.device),
    set: text("a=1,b.c=2", "Entries of the network's configuration to change.", ""),
    "learning-rate": number(
      "number",
      [0, Infinity],
      `The highest rate; ${SCHEDULE_DEFAULTS.learningRate} unless told, ${FINE_TUNING_RATE} with --from.`,
    ),
    "warm-up": upTo("Share of the run the rate rises.", SCHEDULE_DEFAULTS.warmUp, 1),
    floor: upTo("The rate at the end, as a share of the highest.", SCHEDULE_DEFAULTS.floor, 1),
    ...TRAIN_NUMBERS,
    ...AUGMENT_NUMBERS,
  },
  examples: [
    ["heterskin train cache --minutes 60", "on samples made by heterskin prepare"],
    ["heterskin train rigs --from heterskin --minutes 10", "fine-tune on a laptop"],
    ["heterskin train cache --preset paper --steps 5000 --seed 2", "the paper's network"],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  // Before samples are made, which takes a while.
  await requireNative("Training");
  if (args.text("device") === "cpu") return runHere(args, context);
  if (process.env[SUPERVISED]) return runHere(args, context).catch(giveUp);
  const folder = args.needText("out");
  const status = await supervise(
    process.execPath,
    [...process.execArgv, ...process.argv.slice(1)],
    {
      checkpoint: checkpointPath(folder, "last"),
      onRestart: (reason) => context.warn(`${reason}; going on from the last checkpoint.`),
    },
  );
  if (status !== 0) process.exit(status);

  function giveUp(error: Error): void {
    if (!(error instanceof GpuFailure)) throw error;
    context.warn(error.message);
    process.exit(GPU_GAVE_UP);
  }
}

async function runHere(args: CommandArguments, context: CommandContext): Promise<void> {
  // Loaded here: the networks' library is heavy, and help needs none of it.
  const { train: trainOn } = await import("../../train/run/train.ts");
  const folder = args.needText("out");
  const options = await trainOptions(args, context, folder);
  const result = await trainOn({
    ...options,
    onStart: ({ provider, parameters, train, val }) =>
      context.print(
        `${parameters} parameters on ${provider}; ${train} characters to learn from, ${val} to validate on.`,
      ),
    onProgress: createReporter(context),
    onWarning: context.warn,
  });
  const plot = encodePng(plotRun(readRunLog(path.join(folder, "log.jsonl"))));
  writeWhole([[path.join(folder, "plot.png"), plot]]);
  if (!result.finished) {
    context.print(`Stopped at step ${result.progress.step}; the same command goes on from there.`);
    return;
  }
  const { best } = result.progress;
  if (best) context.print(`best: ${scoreText(best)}`);
  const model = path.join(folder, "model.onnx");
  context.print(modelLine(await writeModel(folder, model, { which: best ? "best" : "last" })));
}

async function trainOptions(
  args: CommandArguments,
  context: CommandContext,
  folder: string,
): Promise<TrainOptions> {
  const given = await startingPoint(args);
  const teachers = await teachersFor(args, given.config);
  const cache = await cacheFor(args, context, folder, given.config);
  const usualRate = given.from ? FINE_TUNING_RATE : SCHEDULE_DEFAULTS.learningRate;
  const steps = args.number("steps");
  const numbers = args.settings<Omit<typeof TRAIN_DEFAULTS, "device">>(TRAIN_NUMBERS);
  return {
    ...TRAIN_DEFAULTS,
    ...given,
    cache,
    teachers,
    // A folder of rigged files has been filtered by the table already.
    list: isCache(args.positionals[0]) ? args.text("list") : undefined,
    folder,
    budget: steps ? { steps } : { minutes: args.number("minutes") ?? 30 },
    device: args.text("device") as TrainOptions["device"],
    ...numbers,
    averageSteps: Math.max(1, numbers.averageSteps),
    validateEvery: Math.max(1, numbers.validateEvery),
    schedule: {
      ...SCHEDULE_DEFAULTS,
      learningRate: args.number("learning-rate") ?? usualRate,
      warmUp: args.needNumber("warm-up"),
      floor: args.needNumber("floor"),
    },
    augment: args.settings<AugmentOptions>(AUGMENT_NUMBERS),
    signal: stopSignal(args, context),
  };
}

/** Ctrl-C, a polite kill (as clusters send it) or the end of the session. */
function stopSignal(args: CommandArguments, context: CommandContext): AbortSignal {
  const stop = new AbortController();
  context.signal.addEventListener("abort", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  const minutes = args.number("session");
  if (minutes !== undefined) setTimeout(() => stop.abort(), minutes * 60_000).unref();
  return stop.signal;
}

async function startingPoint(
  args: CommandArguments,
): Promise<{ config: ModelConfig; from?: Float32Array }> {
  const from = args.text("from");
  if (!from)
    return { config: overrideConfig(PRESETS[args.needText("preset")], args.needText("set")) };
  const { readParameters } = await import("../../train/step/parameters.ts");
  const { config, parameters } = await readParameters(await readModel(from));
  return { config: overrideConfig(config, args.needText("set")), from: parameters };
}

/** Read before samples are made, which takes a while. */
async function teachersFor(
  args: CommandArguments,
  config: ModelConfig,
): Promise<TrainOptions["teachers"]> {
  const names = args.text("teachers")?.split(",") ?? [];
  if (names.length === 0) return undefined;
  const { parametersLike } = await import("../../train/step/parameters.ts");
  const parameters = await parametersLike(config, names, readModel);
  return { parameters, share: args.needNumber("teacher-share") };
}

/** The folder of samples: the one given, or one made from the files given, inside the run's folder. */
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

type BestScore = NonNullable<ProgressLine["best"]>;

/** Seconds between two lines where there is no terminal. */
const PAUSE = 20;

function createReporter(context: CommandContext): (line: ProgressLine) => void {
  let printedAt = Number.NEGATIVE_INFINITY;
  let bestStep: number | undefined;
  return (line) => {
    const text = progressText(line);
    context.progress(text, line.progress);
    const now = performance.now() / 1000;
    const better = line.best?.step !== bestStep;
    if (!better && now - printedAt < PAUSE) return;
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

function scoreText({ l1, distance, precision, recall, step }: BestScore): string {
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `val L1 ${l1.toFixed(4)}, distance ${distance.toFixed(5)}, P ${percent(precision)}, R ${percent(recall)} (step ${step})`;
}
