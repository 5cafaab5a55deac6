import { createHash } from "node:crypto";
import { sortedEntries } from "./same-settings.ts";
import type { SampleSettings } from "./sample-settings.ts";

/** Raised whenever the code makes other samples from the same settings. */
const VERSION = 5;

/** A short name for settings, equal where they are equal. */
export function settingsKey(settings: SampleSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, sortedEntries(settings)]))
    .digest("hex")
    .slice(0, 12);
}
