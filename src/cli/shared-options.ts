import { availableParallelism } from "node:os";
import { DEFAULT_MAX_MEMORY } from "../io/budget.ts";
import { DEFAULT_RESOLUTION, MAX_RESOLUTION, MIN_RESOLUTION } from "../voxel/build-grid.ts";
import type { CommandArguments, CommandOption } from "./command.ts";
import { choice, flag, number, text, whole } from "./option.ts";

/** How fine the voxel grid is; without a default the method decides. */
export const RESOLUTION_OPTION: CommandOption = whole(
  "n",
  [MIN_RESOLUTION, MAX_RESOLUTION],
  "Cells along the longest side of the voxel grid; without it the method decides.",
);

/** Options of commands that show how distances are measured. */
export const MEASURE_OPTIONS: Record<string, CommandOption> = {
  resolution: {
    ...RESOLUTION_OPTION,
    default: DEFAULT_RESOLUTION,
    help: "Cells along the longest side.",
  },
  variant: choice(
    "text",
    ["default", "paper"],
    "paper: leaf bones are points and seeds stay in the wall.",
    "default",
  ),
};

/** How many threads measure distances. */
export const THREADS_OPTION: CommandOption = whole(
  "n",
  [1, 256],
  "Worker threads, no more than there are processors.",
);

/** How much is done side by side; one per core unless told. */
export const JOBS_OPTION: CommandOption = { ...THREADS_OPTION, default: availableParallelism() };

/** Whether outputs may take the place of files. */
export const FORCE_OPTION: CommandOption = flag("Overwrite files that are there.", "f");

/** Which characters of a folder are taken. */
export const LIST_OPTION: CommandOption = text("table", "A table with the columns id and split.");

/** What a file from somebody else may cost; in megabytes on the command line, in bytes elsewhere. */
export const MAX_MEMORY_OPTION: CommandOption = number(
  "MB",
  [1, 1 << 20],
  "Refuse a file that unpacks to more than this.",
  DEFAULT_MAX_MEMORY / 2 ** 20,
);

/** The value of {@link MAX_MEMORY_OPTION} in bytes. */
export function maxMemoryOf(args: CommandArguments): number {
  return args.needNumber("max-memory") * 2 ** 20;
}

/** Where a network runs. */
export const PROVIDER_OPTION: CommandOption = choice(
  "name",
  ["auto", "cpu", "webgpu", "wasm"],
  "Where a network runs.",
);
