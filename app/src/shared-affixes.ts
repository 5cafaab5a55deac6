/** What is folded is shared by at least this share of the names. */
const MOST = 0.6;

/** What most names begin and end with. */
export interface Affixes {
  prefix: string;
  suffix: string;
}

/**
 * What most names begin with, up to a separator such as `:` or `_`, and end with, from one on:
 * `mixamorig:`, `Bip01 `, `_Armature`; empty where there is nothing to fold, or two names would be one.
 */
export function sharedAffixes(names: readonly string[]): Affixes {
  const turned = (name: string) => [...name].reverse().join("");
  const prefix = sharedStart(names);
  const affixes = { prefix, suffix: turned(sharedStart(names.map(turned))) };
  const short = new Set(names.map((name) => shortName(name, affixes)));
  return short.size < new Set(names).size ? { prefix: "", suffix: "" } : affixes;
}

/** A name without what all names share. */
export function shortName(name: string, { prefix, suffix }: Affixes): string {
  const start = prefix !== "" && name.startsWith(prefix) ? prefix.length : 0;
  const end = suffix !== "" && name.endsWith(suffix) ? name.length - suffix.length : name.length;
  return name.slice(start, end) || name;
}

function sharedStart(names: readonly string[]): string {
  if (names.length < 4) return "";
  let best = "";
  for (const name of new Set(names.slice(0, 8))) {
    for (let end = 3; end < name.length; end++) {
      const candidate = name.slice(0, end);
      if (candidate.length <= best.length || !/[^\p{L}\p{N}]$/u.test(candidate)) continue;
      const count = names.filter((each) => each.startsWith(candidate) && each !== candidate).length;
      if (count >= MOST * names.length) best = candidate;
    }
  }
  return best;
}
