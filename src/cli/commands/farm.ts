import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { DEFAULT_FARM, DEFAULT_REDIS, type FarmPlace, withQueue } from "../../farm/queue.ts";
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
import { bindSettings, verbOptions } from "../bind-options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  flag,
  text,
} from "../command.ts";
import { farmLine, farmText } from "../report-text.ts";
import { FOLDER_OPTIONS, failureLine, printSummary } from "./batch.ts";

/** Options of `batch` that `farm submit` has too. */
const { again: _, shard: __, jobs: JOBS, ...SUBMIT_OPTIONS } = FOLDER_OPTIONS;

/** Which farm. */
const FARM_OPTIONS: Record<string, CommandOption> = {
  redis: text(
    "url",
    "Redis that all machines of the farm share; or set HETERSKIN_REDIS.",
    process.env.HETERSKIN_REDIS || DEFAULT_REDIS,
  ),
  name: text("name", "Name of the farm, if one Redis has several.", DEFAULT_FARM),
};

const STORE_OPTION: Record<string, CommandOption> = {
  store: text(
    "module",
    "Module whose createStore() reads and writes the files, if they are not on a disk.",
  ),
};

/** One command of `farm`. */
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

/** `heterskin farm`: many machines bind the files of a queue. */
export const farm: Command = {
  name: "farm",
  summary: "Bind the characters of a folder on many machines, through a queue in Redis.",
  usage: "farm <command> [options]",
  options: {},
  commands: [
    farmCommand(
      "submit",
      "Queue a job for each character of a folder; files that are done or queued are skipped.",
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
      { jobs: JOBS, "until-empty": flag("Exit when the queue is empty."), ...STORE_OPTION },
      work,
    ),
    farmCommand(
      "status",
      "Show progress, failures and workers.",
      "",
      [0, 0],
      {
        watch: flag("Print a line every two seconds until all jobs are done."),
        json: flag("Print JSON."),
      },
      status,
    ),
    farmCommand("retry", "Queue failed jobs again.", "", [0, 0], {}, retry),
    farmCommand("cancel", "Remove waiting jobs.", "[out-dir]", [0, 1], STORE_OPTION, cancel),
    farmCommand("drain", "Let running jobs finish and start no others.", "", [0, 0], {}, drain),
    farmCommand("resume", "Start jobs again after drain.", "", [0, 0], {}, resume),
    farmCommand(
      "summary",
      "Write the summary that batch writes.",
      "<out-dir>",
      [1, 1],
      STORE_OPTION,
      summary,
    ),
  ],
  examples: [
    ["heterskin farm submit rigs out", "Queues one job per character."],
    ["heterskin farm work --jobs 8", "On every machine that sees both folders."],
    ["heterskin farm status --watch", "Shows progress and failures."],
    ["heterskin farm summary out", "Writes the summary that batch writes."],
  ],
  async run() {
    throw new Error("farm: one of its commands must be chosen.");
  },
};

const placeOf = (args: CommandArguments): FarmPlace => ({
  redis: args.needText("redis"),
  name: args.needText("name"),
});

async function submit(args: CommandArguments, context: CommandContext): Promise<void> {
  const [from, to] = args.positionals;
  const { added, known } = await withQueue(placeOf(args), (queue) =>
    submitFolder(queue, from, to, {
      ...args.settings<Omit<SubmitOptions, "bind">>(SUBMIT_OPTIONS),
      bind: bindSettings(args),
      signal: context.signal,
      onProgress: context.progress,
    }),
  );
  const rest = known > 0 ? `; ${known} are queued or done already` : "";
  context.print(`${added} files submitted${rest}.`);
}

async function work(args: CommandArguments, context: CommandContext): Promise<void> {
  const { signal } = context;
  const onAbort = () =>
    context.warn("Finishing the running jobs; press Ctrl-C again to return them to the queue.");
  signal.addEventListener("abort", onAbort, { once: true });
  await workFarm(placeOf(args), {
    untilEmpty: args.flag("until-empty"),
    store: await storeOf(args.text("store")),
    jobs: args.needNumber("jobs"),
    signal,
    onRow: (row) => {
      if (row.error) context.warn(failureLine(row));
      else context.detail(`${row.file}: ${row.seconds} s`);
    },
  });
}

/** The store that a module makes. */
async function storeOf(module: string | undefined): Promise<FarmStore | undefined> {
  if (module === undefined) return undefined;
  if (!existsSync(module)) throw new InputError(`${module}: no such module.`);
  const { createStore } = await import(pathToFileURL(path.resolve(module)).href);
  if (typeof createStore === "function") return createStore();
  throw new InputError(`${module}: it does not export a function createStore.`);
}

async function status(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(placeOf(args), async (queue) => {
    let now = await farmStatus(queue);
    const { signal } = context;
    while (args.flag("watch") && !signal.aborted && isBusy(now.jobs)) {
      context.output(args.flag("json") ? JSON.stringify(now) : farmLine(now));
      await pause(2000, undefined, { signal }).catch(() => undefined);
      now = await farmStatus(queue);
    }
    context.output(args.flag("json") ? JSON.stringify(now) : farmText(now));
  });
}

function isBusy({ waiting, active, delayed }: FarmStatus["jobs"]): boolean {
  return waiting + active + delayed > 0;
}

async function retry(args: CommandArguments, context: CommandContext): Promise<void> {
  const count = await withQueue(placeOf(args), retryFarm);
  context.print(`${count} failed jobs are queued again.`);
}

async function cancel(args: CommandArguments, context: CommandContext): Promise<void> {
  const [out] = args.positionals;
  const store = await storeOf(args.text("store"));
  const count = await withQueue(placeOf(args), (queue) => cancelFarm(queue, out, store));
  context.print(`${count} waiting jobs are cancelled; running jobs finish.`);
}

async function drain(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(placeOf(args), (queue) => drainFarm(queue, context.signal));
  context.print("No job is running; heterskin farm resume starts them again.");
}

async function resume(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(placeOf(args), (queue) => queue.resume());
  context.print("Workers take jobs again.");
}

async function summary(args: CommandArguments, context: CommandContext): Promise<void> {
  const [out] = args.positionals;
  const store = await storeOf(args.text("store"));
  const made = await withQueue(placeOf(args), (queue) => summarizeFarm(queue, out, store));
  printSummary(made, context);
}
