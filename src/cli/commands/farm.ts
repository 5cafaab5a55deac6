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
import { BIND_OPTIONS, bindSettings } from "../bind-options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  flag,
  nearestWord,
  text,
} from "../command.ts";
import { farmLine, farmText } from "../report-text.ts";
import { FOLDER_OPTIONS, failureLine, printSummary } from "./batch.ts";

/** Options of `batch` that are the submitter's. */
const { again: _, shard: __, ...SUBMIT_OPTIONS } = FOLDER_OPTIONS;

/** Where a farm is. */
const PLACE_OPTIONS: Record<string, CommandOption> = {
  redis: text(
    "url",
    "The Redis that all machines of the farm see; also HETERSKIN_REDIS.",
    process.env.HETERSKIN_REDIS || DEFAULT_REDIS,
  ),
  name: text("name", "Which farm, where one Redis has several.", DEFAULT_FARM),
};

const STORE_OPTIONS: Record<string, CommandOption> = {
  store: text(
    "module",
    "work, cancel, summary: a module whose createStore() says where files are, if on no disk.",
  ),
  "until-empty": flag("work: end once nothing is left to do."),
};

/** `heterskin farm`: many machines bind the files of a queue. */
export const farm: Command = {
  name: "farm",
  summary: "Bind the characters of a folder on many machines, through a queue in Redis.",
  usage:
    "farm submit <in> <out> | work | status | retry | cancel [out] | drain | resume | summary <out>",
  positionals: [1, 3],
  options: {
    ...PLACE_OPTIONS,
    ...STORE_OPTIONS,
    watch: flag("status: a line every two seconds, until all is done."),
    json: flag("status: print it as JSON."),
    ...SUBMIT_OPTIONS,
    ...BIND_OPTIONS,
  },
  examples: [
    ["heterskin farm submit rigs out", "A job for each character; nothing is done twice."],
    ["heterskin farm work --jobs 8", "On every machine that sees both folders."],
    ["heterskin farm status --watch", "How far it is, what failed, how long it takes."],
    ["heterskin farm summary out", "The same summary as batch writes."],
  ],
  run,
};

type Action = (args: CommandArguments, context: CommandContext) => Promise<void>;

/** What a farm can be told, with the fewest and most words after it. */
const ACTIONS: Record<string, { words: [number, number]; run: Action }> = {
  submit: { words: [2, 2], run: submit },
  work: { words: [0, 0], run: work },
  status: { words: [0, 0], run: status },
  retry: { words: [0, 0], run: retry },
  cancel: { words: [0, 1], run: cancel },
  drain: { words: [0, 0], run: drain },
  resume: { words: [0, 0], run: resume },
  summary: { words: [1, 1], run: summary },
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const [verb, ...rest] = args.positionals;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (!action) {
    const nearest = nearestWord(verb, Object.keys(ACTIONS));
    const hint = nearest
      ? `did you mean ${nearest}?`
      : `it knows ${Object.keys(ACTIONS).join(", ")}.`;
    throw new InputError(`A farm cannot "${verb}"; ${hint}`);
  }
  const [least, most] = action.words;
  if (rest.length < least || rest.length > most) {
    throw new InputError(`"farm ${verb}" takes other arguments; usage: heterskin ${farm.usage}`);
  }
  await action.run(args, context);
}

const placeOf = (args: CommandArguments): FarmPlace => ({
  redis: args.needText("redis"),
  name: args.needText("name"),
});

async function submit(args: CommandArguments, context: CommandContext): Promise<void> {
  const [, from, to] = args.positionals;
  const { added, known } = await withQueue(placeOf(args), (queue) =>
    submitFolder(queue, from, to, {
      ...args.settings<Omit<SubmitOptions, "bind">>(SUBMIT_OPTIONS),
      bind: bindSettings(args),
      signal: context.signal,
      onProgress: context.progress,
    }),
  );
  const rest = known > 0 ? `; ${known} are there already` : "";
  context.print(`${added} files submitted${rest}.`);
}

async function work(args: CommandArguments, context: CommandContext): Promise<void> {
  const { signal } = context;
  const onAbort = () => context.warn("Finishing what is under way; once more leaves it to others.");
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
  throw new InputError(`${module}: this module exports no function createStore.`);
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
  context.print(`${count} failed jobs are tried again.`);
}

async function cancel(args: CommandArguments, context: CommandContext): Promise<void> {
  const [, out] = args.positionals;
  const store = await storeOf(args.text("store"));
  const count = await withQueue(placeOf(args), (queue) => cancelFarm(queue, out, store));
  context.print(`${count} waiting jobs are cancelled; what runs is finished.`);
}

async function drain(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(placeOf(args), (queue) => drainFarm(queue, context.signal));
  context.print("Nothing runs, and nothing is begun; heterskin farm resume goes on.");
}

async function resume(args: CommandArguments, context: CommandContext): Promise<void> {
  await withQueue(placeOf(args), (queue) => queue.resume());
  context.print("Workers go on.");
}

async function summary(args: CommandArguments, context: CommandContext): Promise<void> {
  const [, out] = args.positionals;
  const store = await storeOf(args.text("store"));
  const made = await withQueue(placeOf(args), (queue) => summarizeFarm(queue, out, store));
  printSummary(made, context);
}
