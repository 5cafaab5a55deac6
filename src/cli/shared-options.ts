import { availableParallelism } from "node:os";
import { DEFAULT_MAX_MEMORY } from "../io/budget.ts";
import { DEFAULT_RESOLUTION, MAX_RESOLUTION, MIN_RESOLUTION } from "../voxel/build-grid.ts";
import type { CommandArguments, CommandOption } from "./command.ts";

/** How fine the voxel grid is; without a default the method decides. */
export const RESOLUTION_OPTION: CommandOption = {
  type: "number",
  value: "n",
  least: MIN_RESOLUTION,
  most: MAX_RESOLUTION,
  whole: true,
  help: "Cells along the longest side of the voxel grid; without it the method decides.",
};

/** Options of commands that show how distances are measured. */
export const MEASURE_OPTIONS: Record<string, CommandOption> = {
  resolution: {
    ...RESOLUTION_OPTION,
    default: DEFAULT_RESOLUTION,
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
  help: "Worker threads, no more than there are processors.",
};

/** How much is done side by side; one per core unless told. */
export const JOBS_OPTION: CommandOption = { ...THREADS_OPTION, default: availableParallelism() };

/** Whether outputs may take the place of files. */
export const FORCE_OPTION: CommandOption = {
  type: "flag",
  short: "f",
  help: "Overwrite files that are there.",
};

/** Which characters of a folder are taken. */
export const LIST_OPTION: CommandOption = {
  type: "text",
  value: "table",
  help: "A table with the columns id and split.",
};

/** What a file from somebody else may cost; in megabytes on the command line, in bytes elsewhere. */
export const MAX_MEMORY_OPTION: CommandOption = {
  type: "number",
  value: "MB",
  least: 1,
  most: 1 << 20,
  default: DEFAULT_MAX_MEMORY / 2 ** 20,
  help: "Refuse a file that unpacks to more than this.",
};

/** The value of {@link MAX_MEMORY_OPTION} in bytes. */
export function maxMemoryOf(args: CommandArguments): number {
  return args.needNumber("max-memory") * 2 ** 20;
}

/** Where a network runs. */
export const PROVIDER_OPTION: CommandOption = {
  type: "text",
  value: "name",
  choices: ["auto", "cpu", "webgpu", "wasm"],
  help: "Where a network runs.",
};
