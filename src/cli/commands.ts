import type { Command } from "./command.ts";

/** Every command by the name users type; each is loaded when asked for, or for the list of commands. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  bind: async () => (await import("./commands/bind.ts")).bind,
  evaluate: async () => (await import("./commands/evaluate.ts")).evaluate,
  inspect: async () => (await import("./commands/inspect.ts")).inspect,
};
