import type { Command } from "./command.ts";

/** Every command by the name users type; each is loaded when asked for, or for the list of commands. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  adapt: async () => (await import("./commands/adapt.ts")).adapt,
  batch: async () => (await import("./commands/batch.ts")).batch,
  bind: async () => (await import("./commands/bind.ts")).bind,
  coverage: async () => (await import("./commands/coverage.ts")).coverage,
  distance: async () => (await import("./commands/distance.ts")).distance,
  evaluate: async () => (await import("./commands/evaluate.ts")).evaluate,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  farm: async () => (await import("./commands/farm.ts")).farm,
  inspect: async () => (await import("./commands/inspect.ts")).inspect,
  pack: async () => (await import("./commands/pack.ts")).pack,
  prepare: async () => (await import("./commands/prepare.ts")).prepare,
  refine: async () => (await import("./commands/refine.ts")).refine,
  serve: async () => (await import("./commands/serve.ts")).serve,
  train: async () => (await import("./commands/train.ts")).train,
  transfer: async () => (await import("./commands/transfer.ts")).transfer,
  worker: async () => (await import("./commands/worker.ts")).worker,
};

/**
 * Those that compute for seconds on end, so that they run in a process of their own, where Ctrl-C can end
 * them; known by name, so that the process that waits for them loads nothing of them.
 */
export const HEAVY_COMMANDS: ReadonlySet<string> = new Set([
  "bind",
  "coverage",
  "distance",
  "refine",
  "transfer",
]);
