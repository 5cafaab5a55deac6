import type { BindSettings } from "../../files/bind-file.ts";
import { InputError } from "../../input-error.ts";
import {
  checkOptions as checkAgainstTable,
  type OptionSpec,
  optionNamed,
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

/** Options that clients may send, as JSON Schema; none of them names a file of the server. */
export const API_OPTIONS: Record<string, ValueSchema> = Object.fromEntries(
  optionsOf("bind", "api").map(([name, spec]) => [name, schemaOf(spec)]),
);

function schemaOf({ type, help, choices, min, max, default: value }: OptionSpec): ValueSchema {
  return {
    type: SCHEMA_TYPES[type],
    description: help,
    ...(type === "names" && { items: { type: "string" as const } }),
    ...(choices && { enum: choices }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(value !== undefined && { default: value }),
  };
}

/** Checks the options of a request; throws {@link ApiError} for an unknown or invalid one. */
export function checkOptions(given: Record<string, unknown>): BindSettings {
  try {
    checkAgainstTable("bind", "api", given);
  } catch (error) {
    throw error instanceof InputError ? new ApiError(400, error.message) : error;
  }
  return given as BindSettings;
}

/** Reads options from a query string; lists are separated by commas. */
export function optionsOfQuery(query: URLSearchParams): BindSettings {
  const given: Record<string, unknown> = {};
  for (const [name, text] of query) given[name] = typedValue(text, optionNamed(name)?.type);
  return checkOptions(given);
}

function typedValue(text: string, type: OptionSpec["type"] | undefined): unknown {
  if (type === "names") return text.split(",").map((name) => name.trim());
  if (type === "flag") return text === "true" ? true : text === "false" ? false : text;
  const isNumber = (type === "number" || type === "integer") && text.trim() !== "";
  return isNumber ? Number(text) : text;
}
