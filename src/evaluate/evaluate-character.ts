import type { Character, PreparedCharacter } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { DISTANCE_NAMES, measureDistancesSync } from "../distance/measure.ts";
import { mean } from "../math/arrays.ts";
import { vertexCount } from "../mesh/mesh.ts";
import type { SolvedWeights, SolveOptions, Solver } from "../methods/solver.ts";
import { BLEED_BONES } from "../review/bleed.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { diagnose } from "./diagnose.ts";
import type { CharacterResult, MethodResult, TopK } from "./evaluation.ts";
import { TOP_K, traitsOf } from "./evaluation.ts";
import { fractionWithinK, oracleAtK } from "./precision-recall.ts";
import { DEFAULT_PRESET, findPreset, type PresetName, thinWeights } from "./presets.ts";
import { scoreWeights } from "./score-weights.ts";

/** A method and the name its scores are listed under. */
export interface EvaluatedMethod {
  name: string;
  solve: Solver;
  options?: SolveOptions | undefined;
  /** False for imported weights, whose time means nothing. */
  timed?: boolean;
}

export interface EvaluateOptions {
  preset?: PresetName | undefined;
  /** Adds the data of a report: top-K curves, traits and diagnoses. */
  details?: boolean | undefined;
  /** Called with each method's weights on the welded vertices. */
  onWeights?(method: string, prepared: PreparedCharacter, solved: SolvedWeights): void;
}

/**
 * Runs methods on one character and scores them against the artist's weights.
 *
 * If a method throws, its result holds the message; if the character cannot be prepared or has no
 * weights, every result does.
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
    row.vertices = vertexCount(prepared.character.mesh);
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
  distances: BoneDistances,
  options: EvaluateOptions,
): Promise<MethodResult> {
  const start = performance.now();
  const elapsed = () => (method.timed === false ? Number.NaN : (performance.now() - start) / 1000);
  let seconds: number | undefined;
  try {
    const solved = await method.solve(prepared, method.options ?? {});
    seconds = elapsed();
    options.onWeights?.(method.name, prepared, solved);
    const preset = findPreset(options.preset ?? DEFAULT_PRESET);
    const score = scoreWeights(prepared, solved.weights, { preset, distances });
    if (!options.details) return { score, diagnosis: undefined, seconds };
    const pruned = thinWeights(solved.weights, preset);
    return { score, diagnosis: diagnose(prepared.character, pruned, distances), seconds };
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
    const weight = TOP_K.map((slots) => mean(fractionWithinK(artist, distances, slots)));
    return [distance, { weight, oracle: TOP_K.map((k) => oracleAtK(artist, distances, k)) }];
  });
  return Object.fromEntries(curves);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
