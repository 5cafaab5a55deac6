import type { BindSettings } from "../../files/bind-file.ts";
import { MOST_SMOOTH_STEPS } from "../../finish/check-finish-options.ts";
import { MIRRORS } from "../../finish/finish-weights.ts";
import { METHOD_NAMES } from "../../methods/methods.ts";
import { DIRECTIONS } from "../../skeleton/find-up.ts";
import { SKIN_DEFAULTS } from "../../skin.ts";
import { MAX_RESOLUTION, MIN_RESOLUTION } from "../../voxel/build-grid.ts";
import { ApiError } from "./limits.ts";

/** What a value must be, in the words of JSON Schema that we use. */
export interface ValueSchema {
  type: "string" | "number" | "integer" | "boolean" | "array";
  description: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  items?: { type: "string" };
  default?: string | number | boolean;
}

const names = (description: string): ValueSchema => ({
  type: "array",
  items: { type: "string" },
  description,
});

/** Options a client may give; none of them names a file of the server. */
export const API_OPTIONS: Record<string, ValueSchema> = {
  method: {
    type: "string",
    enum: METHOD_NAMES,
    default: SKIN_DEFAULTS.method,
    description: "How weights are found.",
  },
  maxInfluences: {
    type: "integer",
    minimum: 1,
    maximum: 8,
    default: SKIN_DEFAULTS.maxInfluences,
    description: "Most joints per vertex.",
  },
  prune: {
    type: "number",
    minimum: 0,
    maximum: 1,
    default: SKIN_DEFAULTS.prune,
    description: "Drop weights below this fraction of the vertex's largest.",
  },
  adapt: {
    type: "number",
    minimum: 0,
    maximum: 0.99,
    default: SKIN_DEFAULTS.adapt,
    description: "Let each weight give up this fraction of the vertex's largest.",
  },
  smooth: {
    type: "integer",
    minimum: 0,
    maximum: MOST_SMOOTH_STEPS,
    description: "Smooth the weights over the surface, so many steps.",
  },
  mirror: { type: "string", enum: MIRRORS, description: "Make both sides alike." },
  up: {
    type: "string",
    enum: ["auto", ...DIRECTIONS],
    description: "Which way of the file is up.",
  },
  resolution: {
    type: "integer",
    minimum: MIN_RESOLUTION,
    maximum: MAX_RESOLUTION,
    description: "Cells along the longest side of the voxel grid.",
  },
  lock: names("Keep the file's weights of these joints."),
  exclude: names("Give no weight to these joints."),
  keepExisting: { type: "boolean", description: "Keep the weights of vertices that have some." },
  allJoints: { type: "boolean", description: "Use end markers and helpers too." },
  rigidIslands: { type: "boolean", description: "Let small loose parts move as one." },
  symmetry: { type: "boolean", default: true, description: "Symmetric characters stay so." },
};

/** Options of a request's JSON; an {@link ApiError} for one that is not among them or does not fit. */
export function checkOptions(given: Record<string, unknown>): BindSettings {
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(API_OPTIONS, name) ? API_OPTIONS[name] : undefined;
    if (!schema) throw new ApiError(400, `There is no option "${name}".`);
    if (!fits(value, schema)) throw new ApiError(400, `${name} must be ${wanted(schema)}.`);
  }
  return given as BindSettings;
}

/** The same from a query, in which all is text; lists have commas between. */
export function optionsOfQuery(query: URLSearchParams): BindSettings {
  const given: Record<string, unknown> = {};
  for (const [name, text] of query) given[name] = typedValue(text, API_OPTIONS[name]?.type);
  return checkOptions(given);
}

function typedValue(text: string, type: ValueSchema["type"] | undefined): unknown {
  if (type === "array") return text.split(",").map((name) => name.trim());
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  const isNumber = (type === "number" || type === "integer") && text.trim() !== "";
  return isNumber ? Number(text) : text;
}

function fits(value: unknown, schema: ValueSchema): boolean {
  const { type, enum: choices, minimum = -Infinity, maximum = Infinity } = schema;
  if (type === "array") {
    return Array.isArray(value) && value.every((each) => typeof each === "string");
  }
  if (choices) return choices.includes(value as string);
  if (type !== "number" && type !== "integer") return typeof value === type;
  const isWithin = typeof value === "number" && value >= minimum && value <= maximum;
  return isWithin && (type === "number" || Number.isInteger(value));
}

function wanted({ type, enum: choices, minimum, maximum }: ValueSchema): string {
  if (choices) return `one of ${choices.join(", ")}`;
  if (type === "array") return "a list of names";
  if (type === "boolean" || type === "string") return type === "boolean" ? "true or false" : "text";
  return `${type === "integer" ? "a whole number" : "a number"} from ${minimum} to ${maximum}`;
}
