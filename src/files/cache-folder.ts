import { homedir } from "node:os";
import path from "node:path";

/**
 * Returns the user's folder for what can be made again: learned models, compiled code, the unpacked executable. It may
 * not exist. `HETERSKIN_CACHE` replaces it.
 */
export function cacheFolder(): string {
  const { HETERSKIN_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (HETERSKIN_CACHE) return HETERSKIN_CACHE;
  const usual = { win32: LOCALAPPDATA, darwin: homeFolder("Library/Caches") }[
    process.platform as string
  ];
  return path.join(XDG_CACHE_HOME || usual || homeFolder(".cache"), "heterskin");
}

/** A folder below the user's home; a user without a home has a folder that cannot be written. */
function homeFolder(name: string): string {
  try {
    return path.join(homedir(), name);
  } catch {
    return path.join("/nonexistent", name);
  }
}
