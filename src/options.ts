import { FINISH_DEFAULTS, MIRRORS } from "./finish/finish-weights.ts";
import { TRANSFER_DEFAULTS } from "./finish/transfer-weights.ts";
import { DEFAULT_MAX_MEMORY } from "./formats/budget.ts";
import { InputError, refuseUnknownOptions } from "./input-error.ts";
import { DEFAULT_METHOD, METHOD_NAMES } from "./methods/methods.ts";
import { methodName } from "./models.ts";
import { MOTIONS } from "./motion/motions.ts";
import { CONVENTIONS } from "./skeleton/conventions.ts";
import { DIRECTIONS, FRONTS } from "./skeleton/find-up.ts";
import { TEMPLATES } from "./skeleton/templates.ts";
import { MAX_RESOLUTION, MIN_RESOLUTION } from "./voxel/build-grid.ts";

/** What HeterSkin does with a character. */
export type Verb = "bind" | "refine" | "transfer" | "fix" | "lods";

/** A front end that offers the verbs. `library` is `skin`, `refine`, `transfer` and `fix` themselves. */
export type FrontEnd = "cli" | "api" | "library" | "worker";

/** One option, as every front end offers and checks it. */
export interface OptionSpec {
  /** `names` is a list of joint names, `files` a list of paths. */
  type: "flag" | "integer" | "number" | "text" | "choice" | "names" | "files";
  /** One sentence for help and API descriptions, without choices, bounds and default. */
  help: string;
  verbs: readonly Verb[];
  frontEnds: readonly FrontEnd[];
  /** Placeholder of the value in help: `n`, `file`. */
  value?: string;
  choices?: readonly string[];
  /** Bounds of a number, inclusive. */
  min?: number;
  max?: number;
  default?: string | number | boolean;
  /** Whether help lists the option under "Advanced". */
  advanced?: boolean;
  /** The unit shown to people, and how many of the stored unit it is. */
  unit?: { name: string; size: number };
}

/** The name of an option in the table. */
export type OptionName =
  | "method"
  | "skeleton"
  | "fit"
  | "names"
  | "fingers"
  | "front"
  | "chains"
  | "motion"
  | "like"
  | "maxInfluences"
  | "prune"
  | "adapt"
  | "smooth"
  | "mirror"
  | "lock"
  | "keepExisting"
  | "blend"
  | "exclude"
  | "rigidIslands"
  | "distance"
  | "angle"
  | "model"
  | "allJoints"
  | "symmetry"
  | "up"
  | "resolution"
  | "threads"
  | "provider"
  | "maxMemory"
  | "cache"
  | "liftMeshes"
  | "lods"
  | "dropJoints"
  | "all"
  | "finding";

/** glTF, VRM and FBX readers support at most two sets of four influences. */
export const MAX_INFLUENCES = 8;

const EVERYWHERE: readonly FrontEnd[] = ["cli", "api", "library", "worker"];
type Places = Pick<OptionSpec, "verbs" | "frontEnds">;
const BIND: Places = { verbs: ["bind"], frontEnds: EVERYWHERE };
/** Options that name files, or concern the reading of files. */
const BIND_FILES: Places = { verbs: ["bind"], frontEnds: ["cli", "api"] };

const LODS: Places = { verbs: ["lods"], frontEnds: ["cli"] };
const FIX: Places = { verbs: ["fix"], frontEnds: ["cli", "api"] };

/**
 * Every option of `bind`, `refine`, `transfer` and `fix`. The command line and its help, the checks of the library
 * and the worker, and the validation and OpenAPI document of the service are generated from this table.
 */
export const OPTIONS: Readonly<Record<OptionName, OptionSpec>> = {
  method: {
    type: "choice",
    value: "name",
    choices: METHOD_NAMES,
    default: DEFAULT_METHOD,
    help: "Method that computes the weights.",
    ...BIND,
  },
  skeleton: {
    type: "text",
    value: "file",
    help: `Use the skeleton of another file, or a template: ${TEMPLATES.map(({ name }) => `template:${name}`).join(", ")}, or template:auto.`,
    ...BIND_FILES,
  },
  fit: {
    type: "flag",
    help: "Fit the skeleton to the mesh: a template to its limbs, the skeleton of a character by deforming that character to the mesh.",
    ...BIND_FILES,
  },
  names: {
    type: "choice",
    value: "convention",
    choices: CONVENTIONS,
    default: "own",
    help: "Names of the joints of a skeleton with two arms and two legs.",
    ...BIND_FILES,
  },
  fingers: {
    type: "integer",
    value: "n",
    min: 0,
    max: 5,
    default: 0,
    help: "Fingers per hand of the template with two arms.",
    ...BIND_FILES,
  },
  front: {
    type: "choice",
    value: "axis",
    choices: ["auto", ...FRONTS],
    default: "auto",
    help: "Direction in which the body faces, for a template that is fitted to the mesh.",
    ...BIND_FILES,
  },
  chains: {
    type: "choice",
    value: "which",
    choices: ["auto", "none"],
    default: "auto",
    help: "Joints for ears, tails, hair, skirts and other parts that a fitted template has no bones for.",
    ...BIND_FILES,
  },
  motion: {
    type: "text",
    value: "names",
    help: `Add motions, comma-separated: ${MOTIONS.join(", ")}.`,
    ...BIND_FILES,
  },
  like: {
    type: "files",
    value: "file",
    help: "Learn the style of a rigged character, or of a folder of them, before binding (repeatable, up to 16).",
    ...BIND_FILES,
  },
  maxInfluences: {
    type: "integer",
    value: "n",
    min: 1,
    max: MAX_INFLUENCES,
    default: FINISH_DEFAULTS.maxInfluences,
    help: "Maximum influences per vertex.",
    verbs: ["bind", "refine", "transfer"],
    frontEnds: EVERYWHERE,
  },
  prune: {
    type: "number",
    value: "x",
    min: 0,
    max: 1,
    default: FINISH_DEFAULTS.prune,
    help: "Drop weights below this fraction of the vertex's largest weight.",
    verbs: ["bind", "transfer"],
    frontEnds: EVERYWHERE,
  },
  adapt: {
    type: "number",
    value: "x",
    min: 0,
    max: 0.99,
    default: FINISH_DEFAULTS.adapt,
    help: "Subtract this fraction of the largest weight from every weight; sparsifies, 0 is off.",
    ...BIND,
  },
  smooth: {
    type: "integer",
    value: "n",
    min: 0,
    max: 1000,
    default: 0,
    help: "Smoothing iterations over the surface.",
    ...BIND,
  },
  mirror: {
    type: "choice",
    value: "axis",
    choices: MIRRORS,
    help: "Make both sides symmetric: x averages them, x+ and x- copy the side at larger or smaller x.",
    ...BIND,
  },
  lock: {
    type: "names",
    value: "joints",
    help: "Keep the file's weights on these joints; * matches any characters.",
    ...BIND,
  },
  keepExisting: {
    type: "flag",
    help: "Keep the weights of every vertex that already has some.",
    ...BIND,
  },
  blend: {
    type: "number",
    value: "x",
    min: 0,
    max: 1,
    help: "Mix in this fraction of the weights that the character already has; by default 0, or 0.7 if a fitted skeleton brings weights.",
    ...BIND,
  },
  exclude: { type: "names", value: "joints", help: "Give no weight to these joints.", ...BIND },
  rigidIslands: { type: "flag", help: "Move small rigid loose parts as one piece.", ...BIND },
  distance: {
    type: "number",
    value: "x",
    min: 0,
    max: 10,
    default: TRANSFER_DEFAULTS.distance,
    help: "Maximum distance to the source surface, as a fraction of its longest side.",
    verbs: ["transfer"],
    frontEnds: EVERYWHERE,
  },
  angle: {
    type: "number",
    value: "degrees",
    min: 0,
    max: 180,
    default: TRANSFER_DEFAULTS.angle,
    help: "Maximum angle between the normals of the two surfaces.",
    verbs: ["transfer"],
    frontEnds: EVERYWHERE,
  },
  model: {
    type: "text",
    value: "file.onnx",
    help: "Network to run: a file, or permissive for the one trained on permissively licensed characters only.",
    verbs: ["bind"],
    frontEnds: ["cli", "api", "worker"],
    advanced: true,
  },
  allJoints: {
    type: "flag",
    help: "Also use end markers, IK helpers and control joints.",
    ...BIND,
    advanced: true,
  },
  symmetry: {
    type: "flag",
    default: true,
    help: "Give a symmetric character symmetric weights (networks only).",
    ...BIND,
    advanced: true,
  },
  up: {
    type: "choice",
    value: "axis",
    choices: ["auto", ...DIRECTIONS],
    default: "auto",
    help: "Up axis of the character, for networks; auto detects a lying character by its legs.",
    ...BIND,
    advanced: true,
  },
  resolution: {
    type: "integer",
    value: "n",
    min: MIN_RESOLUTION,
    max: MAX_RESOLUTION,
    help: "Voxel cells along the longest side; by default the method chooses.",
    verbs: ["bind", "refine"],
    frontEnds: EVERYWHERE,
    advanced: true,
  },
  threads: {
    type: "integer",
    value: "n",
    min: 1,
    max: 256,
    help: "Worker threads; by default one per processor.",
    verbs: ["bind", "refine"],
    frontEnds: ["cli", "library", "worker"],
    advanced: true,
  },
  provider: {
    type: "choice",
    value: "name",
    choices: ["auto", "cpu", "webgpu", "wasm"],
    default: "auto",
    help: "Device that runs the network.",
    verbs: ["bind"],
    frontEnds: ["cli", "library", "worker"],
    advanced: true,
  },
  maxMemory: {
    type: "number",
    value: "MB",
    min: 2 ** 20,
    max: 2 ** 40,
    default: DEFAULT_MAX_MEMORY,
    unit: { name: "MB", size: 2 ** 20 },
    help: "Refuse a file that unpacks to more than this.",
    verbs: ["bind", "refine", "transfer", "fix"],
    frontEnds: ["cli"],
    advanced: true,
  },
  cache: {
    type: "flag",
    default: true,
    help: "Reuse what earlier runs learned from the same examples.",
    verbs: ["bind"],
    frontEnds: ["cli"],
    advanced: true,
  },
  liftMeshes: {
    type: "flag",
    help: "Move skinned meshes to the top of a glTF scene, as the Khronos validator recommends; by default they stay in the node tree.",
    verbs: ["bind", "refine", "transfer"],
    frontEnds: ["cli", "api"],
    advanced: true,
  },
  lods: {
    type: "names",
    value: "files",
    help: "Also give these lower levels of detail the weights, transferred from the result.",
    ...LODS,
  },
  dropJoints: {
    type: "names",
    value: "level:joints",
    help: "Give no weight to these joints from a level on, such as 1:*finger*,2:*toe*.",
    ...LODS,
  },
  all: { type: "flag", help: "Apply the remedy of every finding.", ...FIX, frontEnds: ["cli"] },
  finding: {
    type: "text",
    value: "n",
    help: "Apply only the remedies of these findings: numbers of the list, comma-separated.",
    ...FIX,
  },
};

/** Looks up an option by its name. */
export function optionNamed(name: string): OptionSpec | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
}

/** Returns the options that a front end offers for a verb, in the order of the table. */
export function optionsOf(verb: Verb, frontEnd: FrontEnd): [OptionName, OptionSpec][] {
  return (Object.entries(OPTIONS) as [OptionName, OptionSpec][]).filter(
    ([, { verbs, frontEnds }]) => verbs.includes(verb) && frontEnds.includes(frontEnd),
  );
}

/** Returns the command-line name of an option; a flag that is on by default becomes `no-<name>`. */
export function flagName(name: OptionName): string {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return OPTIONS[name].type === "flag" && OPTIONS[name].default ? `no-${kebab}` : kebab;
}

/** Copies the options of a verb from an object that holds others as well. */
export function pickOptions<Options extends object>(
  verb: Verb,
  frontEnd: FrontEnd,
  options: Options,
): Partial<Options> {
  const names: string[] = optionsOf(verb, frontEnd).map(([name]) => name);
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => names.includes(name)),
  ) as Partial<Options>;
}

/**
 * Throws `InputError` for the first option of a verb that is unknown or invalid.
 *
 * @param others names accepted in addition to the table: callbacks, models, paths
 */
export function checkOptions(
  verb: Verb,
  frontEnd: FrontEnd,
  options: object,
  others: readonly string[] = [],
): void {
  if (typeof options !== "object" || options === null) {
    throw new InputError("The options must be an object.");
  }
  const known = new Map<string, OptionSpec>(optionsOf(verb, frontEnd));
  refuseUnknownOptions(options, [...known.keys(), ...others]);
  for (const [name, value] of Object.entries(options)) {
    const spec = known.get(name);
    const problem = spec && value !== undefined && optionProblem(spec, value);
    if (problem) throw new InputError(`${name} ${problem}.`);
  }
}

/** Describes what is wrong with a value, to follow the option's name: "must be 1 or 2, got 3". */
export function optionProblem(spec: OptionSpec, value: unknown): string | undefined {
  if (fits(spec, value)) return undefined;
  const got =
    typeof value === "string"
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? "a list"
        : `${typeof value === "number" && spec.unit ? value / spec.unit.size : value}`;
  return `must be ${expected(spec)}, got ${got}`;
}

function fits(spec: OptionSpec, value: unknown): boolean {
  const { type, choices = [], min = -Infinity, max = Infinity } = spec;
  if (type === "flag") return typeof value === "boolean";
  if (type === "text") return typeof value === "string";
  if (type === "choice")
    return choices.includes(choices === METHOD_NAMES ? methodName(`${value}`) : (value as string));
  if (type === "names" || type === "files") {
    return Array.isArray(value) && value.every((each) => typeof each === "string");
  }
  const isWithin = typeof value === "number" && value >= min && value <= max;
  return isWithin && (type === "number" || Number.isInteger(value));
}

/** Describes the values of an option: "an integer from 1 to 8". */
function expected({ type, choices, min, max, unit }: OptionSpec): string {
  if (choices) return `one of ${choices.join(", ")}`;
  if (type === "flag") return "true or false";
  if (type === "text") return "text";
  if (type === "names") return "a list of joint names";
  if (type === "files") return "a list of files";
  const kind = type === "integer" ? "an integer" : "a number";
  const shown = (bound: number) => `${unit ? bound / unit.size : bound}`;
  const ends = [min !== undefined && `from ${shown(min)}`, max !== undefined && `to ${shown(max)}`];
  return [kind, ...ends.filter(Boolean), unit?.name].filter(Boolean).join(" ");
}
