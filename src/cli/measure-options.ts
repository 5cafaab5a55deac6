import type { CommandOption } from "./command.ts";

/** Options of commands that show how distances are measured. */
export const MEASURE_OPTIONS: Record<string, CommandOption> = {
  resolution: {
    type: "number",
    least: 16,
    most: 512,
    whole: true,
    default: 88,
    help: "Cells along the longest side.",
  },
  variant: {
    type: "text",
    choices: ["default", "paper"],
    default: "default",
    help: "paper: leaf bones are points and seeds stay in the wall.",
  },
};

/** How many threads measure distances. */
export const THREADS_OPTION: CommandOption = {
  type: "number",
  value: "n",
  least: 1,
  most: 256,
  whole: true,
  help: "Worker threads.",
};
