import type { Command } from "./command.ts";

/** Every command by name; each is loaded on first use. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  adapt: async () => (await import("./commands/adapt.ts")).adapt,
  batch: async () => (await import("./commands/batch.ts")).batch,
  bind: async () => (await import("./commands/bind.ts")).bind,
  blender: async () => (await import("./commands/blender.ts")).blender,
  completion: async () => (await import("./commands/completion.ts")).completion,
  evaluate: async () => (await import("./commands/evaluate.ts")).evaluate,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  farm: async () => (await import("./commands/farm.ts")).farm,
  fix: async () => (await import("./commands/fix.ts")).fix,
  inspect: async () => (await import("./commands/inspect.ts")).inspect,
  pack: async () => (await import("./commands/pack.ts")).pack,
  prepare: async () => (await import("./commands/prepare.ts")).prepare,
  refine: async () => (await import("./commands/refine.ts")).refine,
  rig: async () => (await import("./commands/rig.ts")).rig,
  sample: async () => (await import("./commands/sample.ts")).sample,
  serve: async () => (await import("./commands/serve.ts")).serve,
  train: async () => (await import("./commands/train.ts")).train,
  transfer: async () => (await import("./commands/transfer.ts")).transfer,
  worker: async () => (await import("./commands/worker.ts")).worker,
};

/**
 * Commands that compute for seconds without a pause. They run in a child process so that Ctrl-C can stop
 * them, and are listed by name so that the parent process does not load them.
 */
export const HEAVY_COMMANDS: ReadonlySet<string> = new Set([
  "adapt",
  "bind",
  "evaluate",
  "fix",
  "inspect",
  "pack",
  "refine",
  "rig",
  "transfer",
]);
