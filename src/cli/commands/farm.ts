import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { BatchNames } from "../../batch/list.ts";
import { DEFAULT_FARM, DEFAULT_REDIS, type FarmAddress, withQueue } from "../../farm/queue.ts";
import {
  cancelFarm,
  drainFarm,
  type FarmStatus,
  farmStatus,
  retryFarm,
  summarizeFarm,
} from "../../farm/status.ts";
import type { FarmStore } from "../../farm/store.ts";
import { type SubmitOptions, submitFolder } from "../../farm/submit-folder.ts";
import { workFarm } from "../../farm/work-farm.ts";
import { InputError } from "../../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  flag,
  text,
} from "../command.ts";
import { failureText, farmLine, farmText } from "../report-text.ts";
import { bindSettings, verbOptions } from "../verb-options.ts";
import { FOLDER_OPTIONS, planFolder, printSummary } from "./batch.ts";

/** Options that `farm submit` shares with `batch`. */
const { again: _, shard: __, ...SUBMIT_OPTIONS } = FOLDER_OPTIONS;

/** Options that select a farm. */
const FARM_OPTIONS: Record<string, CommandOption> = {
  redis: text(
    "url",
    "Redis that all machines of the farm share; or set HETERSKIN_REDIS.",
    process.env.HETERSKIN_REDIS || DEFAULT_REDIS,
  ),
  name: text("name", "Name of the farm, if several share one Redis.", DEFAULT_FARM),
};

const STORE_OPTION: Record<string, CommandOption> = {
  store: text(
    "module",
    "Module whose createStore() reads and writes the files, if they are not on a disk.",
  ),
};

function farmCommand(
  name: string,
  summary: string,
  words: string,
  positionals: readonly [number, number],
  options: Record<string, CommandOption>,
  run: Command["run"],
): Command {
  const usage = ["farm", name, words, "[options]"].filter(Boolean).join(" ");
  return { name, summary, usage, positionals, options: { ...FARM_OPTIONS, ...options }, run };
}

/** `heterskin farm`: binds the files of a queue on many machines. */
export const farm: Command = {
  name: "farm",
  summary: "Bind the characters of a folder on many machines, through a queue in Redis.",
  usage: "farm <command> [options]",
  options: {},
  commands: [
    farmCommand(
      "submit",
      "Queue a job for each character of a folder; skips files that are done or queued.",
      "<in-dir> <out-dir>",
      [2, 2],
      { ...SUBMIT_OPTIONS, ...verbOptions("bind") },
      submit,
    ),
    farmCommand(
      "work",
      "Run jobs on this machine.",
      "",
      [0, 0],
      {
        jobs: SUBMIT_OPTIONS.jobs,
        "until-empty": flag("Exit when the queue is empty."),
        ...STORE_OPTION,
      },
      work,
    ),
    farmCommand(
      "status",
      "Show progress, failures and workers.",
      "",
      [0, 0],
      {
        watch: flag("Print a line every two seconds until all jobs are done."),
      },
      status,
    ),
    farmCommand("retry", "Queue failed jobs again.", "", [0, 0], {}, retry),
    farmCommand("cancel", "Remove waiting jobs.", "[out-dir]", [0, 1], STORE_OPTION, cancel),
    farmCommand("drain", "Let running jobs finish and start no others.", "", [0, 0], {}, drain),
    farmCommand("resume", "Start jobs again after drain.", "", [0, 0], {}, resume),
    farmCommand("summary", "Write a batch summary.", "<out-dir>", [1, 1], STORE_OPTION, summary),
  ],
  examples: [
    ["heterskin farm submit rigs out", "Queues one job per character."],
    ["heterskin farm work --jobs 8", "On every machine that has access to both folders."],
    ["heterskin farm status --watch", "Shows progress and failures."],
    ["heterskin farm summary out", "Writes the same summary as batch."],
  ],
  async run() {
    throw new Error("farm: no subcommand was chosen.");
  },
};

function addressOf(args: CommandArguments): FarmAddress {
  return { redis: args.requireText("redis"), name: args.requireText("name") };
}

async function submit(args: CommandArguments, context: CommandContext): Promise<void> {
  const [inFolder, outFolder] = args.positionals;
  if (args.flag("dry-run")) {
    const names = args.settings<BatchNames>(SUBMIT_OPTIONS);
    return planFolder(inFolder, outFolder, names, undefined, context);
  }
  const { added, known } = await withQueue(addressOf(args), (queue) =>
    submitFolder(queue, inFolder, outFolder, {
      ...args.settings<Omit<SubmitOptions, "bind">>(SUBMIT_OPTIONS),
      bind: bindSettings(args),
      signal: context.signal,
      onProgress: context.progress,
    }),
  );
  const skipped = known > 0 ? `; ${known} are queued or done already` : "";
  context.print(`${added} files submitted${skipped}.`);
  context.result({ added, known });
}

/** Time for connections to end after the last job (ms). */
const EXIT_GRACE = 2000;

async function work(args: CommandArguments, context: CommandContext): Promise<void> {
  const { signal } = context;
  const count = { done: 0, failed: 0 };
  const onAbort = () =>
    context.warn("Finishing the running jobs; press Ctrl-C again to return them to the queue.");
  signal.addEventListener("abort", onAbort, { once: true });
  await workFarm(addressOf(args), {
    untilEmpty: args.flag("until-empty"),
    store: await storeOf(args),
    jobs: args.requireNumber("jobs"),
    signal,
    onRow: (row) => {
      if (row.error) context.warn(failureText(row));
      else context.print(`${row.file}: bound in ${row.seconds} s`);
      count[row.error ? "failed" : "done"]++;
    },
  });
  context.print(`${count.done} files bound, ${count.failed} failed.`);
  context.result(count);
  // Connections to a Redis that does not answer would keep the process alive.
  if (signal.aborted) setTimeout(() => process.exit(), EXIT_GRACE).unref();
}

/** Creates the store of the module that `--store` names. */
async function storeOf(args: CommandArguments): Promise<FarmStore | undefined> {
  const module = args.text("store");
  if (module === undefined) return undefined;
  if (!existsSync(module)) throw new InputError(`${module}: no such module.`);
  const { createStore } = await import(pathToFileURL(path.resolve(module)).href);
  if (typeof createStore === "function") return createStore();
  throw new InputError(`${module}: this module does not export a function createStore.`);
}

async function status(
  args: CommandArguments,
  { output, result, signal }: CommandContext,
): Promise<void> {
  const isBusy = ({ jobs }: FarmStatus) => jobs.waiting + jobs.active + jobs.delayed > 0;
  await withQueue(addressOf(args), async (queue) => {
    let now = await farmStatus(queue);
    while (args.flag("watch") && !signal.aborted && isBusy(now)) {
      if (!args.flag("json")) output(farmLine(now));
      await pause(2000, undefined, { signal }).catch(() => undefined);
      now = await farmStatus(queue);
    }
    if (!args.flag("json")) output(farmText(now));
    result(now);
  });
}

async function retry(args: CommandArguments, context: CommandContext): Promise<void> {
  const count = await withQueue(addressOf(args), retryFarm);
  context.print(`${count} failed jobs are queued again.`);
  context.result({ retried: count });
}

async function cancel(args: CommandArguments, context: CommandContext): Promise<void> {
  const store = await storeOf(args);
  const count = await withQueue(addressOf(args), (queue) =>
    cancelFarm(queue, args.positionals[0], store),
  );
  context.print(`${count} waiting jobs are cancelled; running jobs continue.`);
  context.result({ cancelled: count });
}

async function drain(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(addressOf(args), (queue) => drainFarm(queue, context.signal));
  context.print("No job is running; heterskin farm resume starts them again.");
  context.result({ drained: true });
}

async function resume(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(addressOf(args), (queue) => queue.resume());
  context.print("Workers start jobs again.");
  context.result({ drained: false });
}

async function summary(args: CommandArguments, context: CommandContext): Promise<void> {
  const [out] = args.positionals;
  const store = await storeOf(args);
  printSummary(
    await withQueue(addressOf(args), (queue) => summarizeFarm(queue, out, store)),
    context,
  );
}
