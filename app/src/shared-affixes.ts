/** Minimum fraction of the names that must share an affix for it to be folded. */
const MOST = 0.6;

/** Prefix and suffix that most names share. */
export interface Affixes {
  prefix: string;
  suffix: string;
}

/**
 * Finds the prefix (up to a separator such as `:` or `_`) and the suffix (from one on) that most names share:
 * `mixamorig:`, `Bip01 `, `_Armature`. Empty if there is none, or if two names would become equal.
 */
export function sharedAffixes(names: readonly string[]): Affixes {
  const turned = (name: string) => [...name].reverse().join("");
  const prefix = sharedStart(names);
  const affixes = { prefix, suffix: turned(sharedStart(names.map(turned))) };
  const short = new Set(names.map((name) => shortName(name, affixes)));
  return short.size < new Set(names).size ? { prefix: "", suffix: "" } : affixes;
}

/** Returns a name without the shared affixes. */
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
