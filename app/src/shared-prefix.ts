/** A prefix is folded where at least this share of the names begin with it. */
const MOST = 0.8;

/**
 * What nearly all names begin with, up to a separator such as `:` or `_`: `mixamorig:` or `Bip01_`;
 * empty where there is nothing to fold.
 */
export function sharedPrefix(names: readonly string[]): string {
  if (names.length < 4) return "";
  let best = "";
  for (const name of new Set(names.slice(0, 8))) {
    for (let end = 2; end < name.length; end++) {
      const candidate = name.slice(0, end);
      if (candidate.length <= best.length || !/[^\p{L}\p{N}]$/u.test(candidate)) continue;
      const count = names.filter((each) => each.startsWith(candidate) && each !== candidate).length;
      if (count >= MOST * names.length) best = candidate;
    }
  }
  return best;
}
