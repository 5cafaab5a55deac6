import type { Character, PreparedCharacter } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import {
  DISTANCE_NAMES,
  type MeasuredCharacter,
  measureDistancesSync,
} from "../distance/measure.ts";
import { mean } from "../math/arrays.ts";
import type { SolvedWeights, SolveOptions, Solver } from "../methods/solver.ts";
import { BLEED_BONES } from "../review/bleed.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { diagnose } from "./diagnose.ts";
import {
  type CharacterResult,
  type MethodResult,
  TOP_K,
  type TopK,
  traitsOf,
} from "./evaluation.ts";
import { oracleAtK, shareWithinK } from "./precision-recall.ts";
import { DEFAULT_PRESET, findPreset, type PresetName, thinWeights } from "./presets.ts";
import { scoreWeights } from "./score-weights.ts";

/** A method and the name of its scores. */
export interface EvaluatedMethod {
  name: string;
  solve: Solver;
  options?: SolveOptions | undefined;
  /** False for weights made elsewhere, whose time is meaningless. */
  timed?: boolean;
}

/** Options for {@link evaluateCharacter}. */
export interface EvaluateOptions {
  preset?: PresetName | undefined;
  /** Whether to add data for a report: top-K curves, traits and diagnoses. */
  details?: boolean | undefined;
  /** Receives each method's weights on the welded vertices. */
  onWeights?:
    | ((method: string, prepared: PreparedCharacter, solved: SolvedWeights) => void)
    | undefined;
}

/**
 * Runs methods on one character and scores them against its artist's weights: prepare, solve, score, with no
 * limit on influences except the preset's.
 *
 * A method that throws yields a result with its message; so does, for every method, a character that cannot be
 * prepared or has no weights.
 */
export async function evaluateCharacter(
  character: Character,
  methods: EvaluatedMethod[],
  options: EvaluateOptions = {},
): Promise<CharacterResult> {
  const joints = jointCount(character.skeleton);
  const row: CharacterResult = { id: character.name, vertices: 0, joints, results: {} };
  try {
    const prepared = prepareCharacter(character);
    row.vertices = prepared.character.mesh.positions.length / 3;
    const k = Math.min(joints, BLEED_BONES);
    const { distances, grid, outside } = measureDistancesSync(prepared.character, { k });
    for (const method of methods) {
      row.results[method.name] = await evaluateMethod(method, prepared, distances, options);
    }
    if (options.details && prepared.character.weights) {
      row.topK = topKCurves(prepared.character, distances);
      row.traits = traitsOf(prepared.character, grid, outside);
    }
  } catch (error) {
    for (const { name } of methods) row.results[name] ??= { error: message(error), seconds: 0 };
  }
  return row;
}

/** Returns the row of a character that could not be read. */
export function failedCharacter(id: string, methods: string[], error: unknown): CharacterResult {
  const results = methods.map((name) => [name, { error: message(error), seconds: 0 }]);
  return { id, vertices: 0, joints: 0, results: Object.fromEntries(results) };
}

async function evaluateMethod(
  method: EvaluatedMethod,
  prepared: PreparedCharacter,
  distances: MeasuredCharacter["distances"],
  options: EvaluateOptions,
): Promise<MethodResult> {
  const start = performance.now();
  const elapsed = () => (method.timed === false ? Number.NaN : (performance.now() - start) / 1000);
  let seconds: number | undefined;
  try {
    const solved = await method.solve(prepared, method.options ?? {});
    const { weights } = solved;
    seconds = elapsed();
    options.onWeights?.(method.name, prepared, solved);
    const preset = findPreset(options.preset ?? DEFAULT_PRESET);
    const score = scoreWeights(prepared, weights, { preset, distances });
    const diagnosis = options.details
      ? diagnose(prepared.character, thinWeights(weights, preset), distances)
      : undefined;
    return { score, diagnosis, seconds };
  } catch (error) {
    return { error: message(error), seconds: seconds ?? elapsed() };
  }
}

function topKCurves(character: Character, hollow: BoneDistances): Record<string, TopK> {
  const k = TOP_K[TOP_K.length - 1];
  const artist = character.weights!;
  const curves = DISTANCE_NAMES.map((distance): [string, TopK] => {
    const distances =
      distance === "hollow" ? hollow : measureDistancesSync(character, { distance, k }).distances;
    const weight = TOP_K.map((slots) => mean(shareWithinK(artist, distances, slots)));
    return [distance, { weight, oracle: TOP_K.map((k) => oracleAtK(artist, distances, k)) }];
  });
  return Object.fromEntries(curves);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
