import { readdir } from "node:fs/promises";
import path from "node:path";

/** A pattern of paths: the folder before its first wildcard, and a test of paths relative to it. */
export interface PathPattern {
  folder: string;
  fits: (file: string) => boolean;
}

/**
 * Splits a pattern such as `rigs/hero*.glb` into the folder before the first wildcard and a test of paths
 * relative to it: `*` matches within a name, `**` any folders, `?` one character. Without a wildcard the
 * pattern is the folder, and every path fits.
 */
export function splitPattern(pattern: string): PathPattern {
  const parts = pattern.replaceAll(path.sep, "/").split("/");
  const first = parts.findIndex(hasWildcard);
  if (first < 0) return { folder: pattern, fits: () => true };
  const folder = parts.slice(0, first).join("/") || (first > 0 ? "/" : ".");
  const text = parts.slice(first).map(partPattern).join("");
  const regExp = new RegExp(`^${text}$`);
  return { folder, fits: (file) => regExp.test(`${file}/`) };
}

/** Whether a path is a pattern. */
export function hasWildcard(file: string): boolean {
  return /[*?]/.test(file);
}

/** Returns the files that match a pattern, by name; hidden files and folders are skipped. */
export async function filesMatching(pattern: string): Promise<string[]> {
  const { folder, fits } = splitPattern(pattern);
  const isDeep = /\*\*|[*?].*[\\/]/.test(pattern);
  const walk = async (below: string): Promise<string[]> => {
    const at = path.join(folder, below);
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const found: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (!entry.isDirectory()) found.push(...(fits(name) ? [path.join(folder, name)] : []));
      else if (isDeep) found.push(...(await walk(name)));
    }
    return found;
  };
  return walk("");
}

function partPattern(part: string): string {
  if (part === "**") return "(?:[^/]+/)*";
  const text = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return `${text.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}/`;
}
