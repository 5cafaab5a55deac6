import path from "node:path";

/**
 * Divides `rigs/hero*.glb` into the folder before the first wildcard and a test of paths below it: `*`
 * stands for anything within a name, `**` for any folders, `?` for one letter.
 *
 * Without a wildcard, all of it is the folder, and every path fits.
 */
export function splitPattern(pattern: string): {
  folder: string;
  fits: (file: string) => boolean;
} {
  const parts = pattern.replaceAll(path.sep, "/").split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first < 0) return { folder: pattern, fits: () => true };
  const folder = parts.slice(0, first).join("/") || (first > 0 ? "/" : ".");
  const text = parts.slice(first).map(partPattern).join("");
  const whole = new RegExp(`^${text}$`);
  return { folder, fits: (file) => whole.test(`${file}/`) };
}

function partPattern(part: string): string {
  if (part === "**") return "(?:[^/]+/)*";
  const text = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return `${text.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}/`;
}
