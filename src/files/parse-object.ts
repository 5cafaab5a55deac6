import { readFileSync } from "node:fs";

/** Parses a JSON object; undefined for any other text. */
export function parseObject<T extends object>(text: string): Partial<T> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a JSON object from a file; undefined if it cannot be read or is not one. */
export function readObject<T extends object>(file: string): Partial<T> | undefined {
  try {
    return parseObject(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
