import type { BatchVerb } from "../../batch/row.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import { templateOf } from "../../files/read-for-bind.ts";
import { InputError } from "../../input-error.ts";
import { DEFAULT_NETWORK, MODELS } from "../../models.ts";
import {
  checkOptions as checkAgainstTable,
  OPTIONS,
  type OptionSpec,
  optionNamed,
  optionProblem,
  optionsOf,
} from "../../options.ts";
import { ApiError } from "./limits.ts";

/** The JSON Schema of an option. */
export interface ValueSchema {
  type: "string" | "number" | "integer" | "boolean" | "array";
  description: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  items?: { type: "string" };
  default?: string | number | boolean;
}

const SCHEMA_TYPES = {
  flag: "boolean",
  integer: "integer",
  number: "number",
  text: "string",
  choice: "string",
  names: "array",
  files: "array",
} as const;

/** Options whose values may be files, which clients upload first. */
const FILES: readonly string[] = ["skeleton", "like"];
const FILE_HELP = "An uploaded file is file:<id>; see /api/files.";

/** The networks of the package. Clients cannot upload others, because a model is a program. */
const NETWORKS = Object.keys(MODELS).filter((name) => !MODELS[name].isPublished);
const MODEL: OptionSpec = {
  ...OPTIONS.model,
  type: "choice",
  choices: NETWORKS,
  default: DEFAULT_NETWORK,
  help: "Network to run; permissive is trained on permissively licensed characters only.",
};

/** Options of a verb that clients may send, as JSON Schema; none of them names a file of the server. */
export const API_OPTIONS: Readonly<Record<BatchVerb, Record<string, ValueSchema>>> = {
  bind: schemasOf("bind"),
  refine: schemasOf("refine"),
  transfer: schemasOf("transfer"),
  fix: schemasOf("fix"),
};

function schemasOf(verb: BatchVerb): Record<string, ValueSchema> {
  return Object.fromEntries(
    optionsOf(verb, "api").map(([name, spec]) => [
      name,
      schemaOf(name, name === "model" ? MODEL : spec),
    ]),
  );
}

function schemaOf(
  name: string,
  { type, help, choices, min, max, default: value }: OptionSpec,
): ValueSchema {
  return {
    type: SCHEMA_TYPES[type],
    description: FILES.includes(name) ? `${help} ${FILE_HELP}` : help,
    ...((type === "names" || type === "files") && { items: { type: "string" as const } }),
    ...(choices && { enum: choices }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(value !== undefined && { default: value }),
  };
}

/** Checks the options of a request; throws {@link ApiError} for an unknown or invalid one. */
export function checkOptions(verb: BatchVerb, given: Record<string, unknown>): BindSettings {
  try {
    checkAgainstTable(verb, "api", given);
  } catch (error) {
    throw error instanceof InputError ? new ApiError(400, error.message) : error;
  }
  const problem = given.model !== undefined && optionProblem(MODEL, given.model);
  if (problem) throw new ApiError(400, `model ${problem}.`);
  return given as BindSettings;
}

/** Replaces uploaded files by their paths; other values must be templates, because no path of the server is one. */
export function withFiles(
  options: BindSettings,
  pathOf: (value: string) => string | undefined,
): BindSettings {
  const { skeleton, like } = options;
  const found = (value: string, isTemplate: boolean) => {
    const path = isTemplate ? value : pathOf(value);
    if (path !== undefined) return path;
    throw new ApiError(400, `"${value}" is no uploaded file; send it to /api/files first.`);
  };
  return {
    ...options,
    ...(skeleton && { skeleton: found(skeleton, templateOf(skeleton) !== undefined) }),
    ...(like && { like: like.map((value) => found(value, false)) }),
  };
}

/** Reads options from a query string; lists are separated by commas. */
export function optionsOfQuery(verb: BatchVerb, query: URLSearchParams): BindSettings {
  const given: Record<string, unknown> = {};
  for (const [name, text] of query) given[name] = typedValue(text, optionNamed(name)?.type);
  return checkOptions(verb, given);
}

function typedValue(text: string, type: OptionSpec["type"] | undefined): unknown {
  if (type === "names" || type === "files") return text.split(",").map((name) => name.trim());
  if (type === "flag") return text === "true" ? true : text === "false" ? false : text;
  const isNumber = (type === "number" || type === "integer") && text.trim() !== "";
  return isNumber ? Number(text) : text;
}
