import { availableParallelism } from "node:os";
import { DIRECTIONS } from "../skeleton/find-up.ts";
import { TEMPLATES } from "../skeleton/templates/index.ts";
import { SKIN_DEFAULTS } from "../skin.ts";
import { METHOD_NAMES } from "../solve/methods.ts";
import { MIRRORS } from "../weights/finish-weights.ts";
import type { BindSettings } from "../work/bind-file.ts";
import type { CommandArguments, CommandOption } from "./command.ts";
import {
  MAX_MEMORY_OPTION,
  maxMemoryOf,
  PROVIDER_OPTION,
  RESOLUTION_OPTION,
  THREADS_OPTION,
} from "./shared-options.ts";

/** Options of every command that writes weights: how many there may be, and how small. */
export const TRIM_OPTIONS: Record<string, CommandOption> = {
  "max-influences": {
    type: "number",
    value: "n",
    default: SKIN_DEFAULTS.maxInfluences,
    least: 1,
    most: 8,
    whole: true,
    help: "Most joints per vertex, 1 to 8.",
  },
  prune: {
    type: "number",
    value: "x",
    default: SKIN_DEFAULTS.prune,
    least: 0,
    most: 1,
    help: "Drop weights below this fraction of the vertex's largest.",
  },
};

/** Options of commands that finish weights, besides {@link TRIM_OPTIONS}. */
const FINISHING_OPTIONS: Record<string, CommandOption> = {
  adapt: {
    type: "number",
    value: "x",
    default: SKIN_DEFAULTS.adapt,
    least: 0,
    most: 0.99,
    help: "Let each weight give up this fraction of the vertex's largest, so that sure vertices get fewer joints; 0 keeps all.",
  },
  smooth: {
    type: "number",
    value: "n",
    least: 0,
    most: 1000,
    whole: true,
    help: "Smooth the weights over the surface, n steps.",
  },
  mirror: {
    type: "text",
    value: "axis",
    choices: MIRRORS,
    help: "Make both sides alike: x takes the mean, x+ and x- copy the side at larger or smaller x.",
  },
  lock: {
    type: "text",
    value: "bones",
    help: "Keep the file's weights of these joints, names with commas between (\\, is a comma within a name); * stands for anything.",
  },
  "keep-existing": {
    type: "flag",
    help: "Keep the weights of all vertices that have some in the file.",
  },
  exclude: {
    type: "text",
    value: "bones",
    help: "Give no weight to these joints, names with commas between.",
  },
  "all-joints": {
    type: "flag",
    help: "Use end markers, IK helpers and the controls of a rig too, even if the file's own weights do not.",
  },
  "rigid-islands": { type: "flag", help: "Let small and rigid loose parts move as one." },
};

/** Options of `bind` that `batch` has too. */
export const BIND_OPTIONS: Record<string, CommandOption> = {
  method: {
    type: "text",
    value: "name",
    default: SKIN_DEFAULTS.method,
    choices: METHOD_NAMES,
    help: "How weights are found.",
  },
  skeleton: {
    type: "text",
    value: "file",
    help: `Take the skeleton from another file, or template:name for one of ${TEMPLATES.map(({ name }) => name).join(", ")}.`,
  },
  fit: {
    type: "flag",
    help: "Fit that skeleton to the mesh: a template into its limbs, another file's by turning, scaling and moving it.",
  },
  ...TRIM_OPTIONS,
  ...FINISHING_OPTIONS,
  up: {
    type: "text",
    value: "axis",
    choices: ["auto", ...DIRECTIONS],
    default: "auto",
    help: "Which way of the file is up, for networks; auto turns a character whose legs say that it lies.",
  },
  resolution: RESOLUTION_OPTION,
  threads: THREADS_OPTION,
  provider: PROVIDER_OPTION,
  "max-memory": MAX_MEMORY_OPTION,
  model: {
    type: "text",
    value: "file.onnx",
    help: "Run another network than the package's own: a file, or permissive for the one learned from freely licensed characters alone.",
  },
  "no-symmetry": {
    type: "flag",
    help: "Let a network weigh the two sides of a symmetric character each for itself.",
  },
  like: {
    type: "text",
    value: "file",
    many: true,
    help: "Learn from a rigged character first, or a folder of them; may be given up to 16 times.",
  },
  "no-cache": { type: "flag", help: "Learn anew, and keep nothing of it for the next time." },
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
