import { createHash } from "node:crypto";
import type { SampleSettings } from "./sample-settings.ts";

/** Raised whenever the code makes other samples from the same settings. */
const VERSION = 4;

/** A short name for settings, equal where they are equal. */
export function settingsKey(settings: SampleSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, sorted(settings)]))
    .digest("hex")
    .slice(0, 12);
}

/** Entries by name, at every level, so that the order in which they were written does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sorted(entry)]);
}
