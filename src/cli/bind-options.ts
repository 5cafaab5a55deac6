import { availableParallelism } from "node:os";
import type { BindSettings } from "../files/bind-file.ts";
import { MOST_SMOOTH_STEPS } from "../finish/check-finish-options.ts";
import { MIRRORS } from "../finish/finish-weights.ts";
import { DEFAULT_MAX_MEMORY } from "../formats/budget.ts";
import { METHOD_NAMES } from "../methods/methods.ts";
import { DIRECTIONS } from "../skeleton/find-up.ts";
import { TEMPLATES } from "../skeleton/templates.ts";
import { SKIN_DEFAULTS } from "../skin.ts";
import { DEFAULT_RESOLUTION, MAX_RESOLUTION, MIN_RESOLUTION } from "../voxel/build-grid.ts";
import {
  type CommandArguments,
  type CommandOption,
  choice,
  flag,
  number,
  text,
  whole,
} from "./command.ts";

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

/** Options of every command that writes weights: how many there may be, and how small. */
export const TRIM_OPTIONS: Record<string, CommandOption> = {
  "max-influences": whole(
    "n",
    [1, 8],
    "Most joints per vertex, 1 to 8.",
    SKIN_DEFAULTS.maxInfluences,
  ),
  prune: number(
    "x",
    [0, 1],
    "Drop weights below this fraction of the vertex's largest.",
    SKIN_DEFAULTS.prune,
  ),
};

/** Options of commands that finish weights, besides {@link TRIM_OPTIONS}. */
const FINISHING_OPTIONS: Record<string, CommandOption> = {
  adapt: number(
    "x",
    [0, 0.99],
    "Let each weight give up this fraction of the vertex's largest, so that sure vertices get fewer joints; 0 keeps all.",
    SKIN_DEFAULTS.adapt,
  ),
  smooth: whole("n", [0, MOST_SMOOTH_STEPS], "Smooth the weights over the surface, n steps."),
  mirror: choice(
    "axis",
    MIRRORS,
    "Make both sides alike: x takes the mean, x+ and x- copy the side at larger or smaller x.",
  ),
  lock: text(
    "bones",
    "Keep the file's weights of these joints, names with commas between (\\, is a comma within a name); * stands for anything.",
  ),
  "keep-existing": flag("Keep the weights of all vertices that have some in the file."),
  exclude: text("bones", "Give no weight to these joints, names with commas between."),
  "all-joints": flag(
    "Use end markers, IK helpers and the controls of a rig too, even if the file's own weights do not.",
  ),
  "rigid-islands": flag("Let small and rigid loose parts move as one."),
};

/** Options of `bind` that `batch` has too. */
export const BIND_OPTIONS: Record<string, CommandOption> = {
  method: choice("name", METHOD_NAMES, "How weights are found.", SKIN_DEFAULTS.method),
  skeleton: text(
    "file",
    `Take the skeleton from another file, or template:name for one of ${TEMPLATES.map(({ name }) => name).join(", ")}.`,
  ),
  fit: flag(
    "Fit that skeleton to the mesh: a template into its limbs, another file's by turning, scaling and moving it.",
  ),
  ...TRIM_OPTIONS,
  ...FINISHING_OPTIONS,
  up: choice(
    "axis",
    ["auto", ...DIRECTIONS],
    "Which way of the file is up, for networks; auto turns a character whose legs say that it lies.",
    "auto",
  ),
  resolution: RESOLUTION_OPTION,
  threads: THREADS_OPTION,
  provider: PROVIDER_OPTION,
  "max-memory": MAX_MEMORY_OPTION,
  model: text(
    "file.onnx",
    "Run another network than the package's own: a file, or permissive for the one learned from freely licensed characters alone.",
  ),
  "no-symmetry": flag(
    "Let a network weigh the two sides of a symmetric character each for itself.",
  ),
  like: {
    ...text(
      "file",
      "Learn from a rigged character first, or a folder of them; may be given up to 16 times.",
    ),
    many: true,
  },
  "no-cache": flag("Learn anew, and keep nothing of it for the next time."),
};

/** What the user asked for of {@link BIND_OPTIONS}. */
export function bindSettings(args: CommandArguments): BindSettings {
  const [lock, exclude] = [namesIn(args.text("lock")), namesIn(args.text("exclude"))];
  const threads = args.number("threads");
  return {
    ...args.settings<BindSettings>(BIND_OPTIONS),
    // More only stand in each other's way.
    threads: threads && Math.min(threads, availableParallelism()),
    symmetry: !args.flag("no-symmetry"),
    lock,
    exclude,
    maxMemory: maxMemoryOf(args),
  };
}

/** Names with commas between; a comma within a name has a backslash before it. */
export function namesIn(text = ""): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll("\\,", ",").trim())
    .filter((name) => name !== "");
}
