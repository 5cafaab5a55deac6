import { readFileSync } from "node:fs";
import { InputError } from "../input-error.ts";

/** Reads a JSON object that an earlier run has written; `InputError` where it is none any more. */
export function readJson<T extends object>(file: string): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Said below.
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as T;
  throw new InputError(`${file} is damaged; make it again.`);
}
