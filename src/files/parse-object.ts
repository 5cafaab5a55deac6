import { readFileSync } from "node:fs";

/** What a JSON object may hold; nothing where the text is none. */
export function parseObject<T extends object>(text: string): Partial<T> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same of a file; nothing where it cannot be read either. */
export function readObject<T extends object>(file: string): Partial<T> | undefined {
  try {
    return parseObject(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
