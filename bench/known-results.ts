import type {
  CharacterResult,
  Evaluation,
  MethodResult,
} from "../src/evaluate/evaluate-character.ts";
import type { CharacterScore } from "../src/evaluate/score-weights.ts";
import type { CharacterJson, ResultJson } from "../src/evaluate/summary.ts";

/** A new evaluation of some methods, and the committed results of the others. */
export function withKnown(fresh: Evaluation, known: ResultJson): Evaluation {
  const rows = new Map(known.per_character.map((row) => [row.id, row]));
  const names = Object.keys(known.methods);
  const characters = fresh.characters.map((character): CharacterResult => {
    const row = rows.get(character.id);
    const old = row ? names.map((name) => [name, resultOf(row, name)]) : [];
    return { ...character, results: { ...Object.fromEntries(old), ...character.results } };
  });
  const added = fresh.methods.filter((name) => !names.includes(name));
  return { ...fresh, methods: [...names, ...added], characters };
}

/** Restores a method's entry in a row from the committed results. */
function resultOf(row: CharacterJson, method: string): MethodResult {
  const cell = row[method];
  if (typeof cell !== "object" || "error" in cell) return { error: "not run", seconds: Number.NaN };
  const { l1_raw: l1Raw, max_distance: maxDistance, seconds, ...rest } = cell;
  const score = { ...rest, l1Raw, maxDistance } as unknown as CharacterScore;
  return { score, seconds: typeof seconds === "number" ? seconds : Number.NaN };
}
