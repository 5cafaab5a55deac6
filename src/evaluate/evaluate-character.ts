import type { Character, PreparedCharacter } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { DISTANCE_NAMES, measureDistancesSync } from "../distance/measure.ts";
import { mean } from "../math/arrays.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { vertexCount } from "../mesh/mesh.ts";
import type { SolvedWeights, SolveOptions, Solver } from "../methods/solver.ts";
import { BLEED_BONES } from "../review/bleed.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import {
  DEFAULT_PRESET,
  findPreset,
  fractionWithinK,
  oracleAtK,
  type PresetName,
  thinWeights,
} from "./metrics.ts";
import { type CharacterScore, scoreWeights } from "./score-weights.ts";

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

/** The result of one method on one character: a score or an error message. */
export interface MethodResult {
  score?: CharacterScore;
  error?: string;
  /** Causes of a high error, if details were requested. */
  diagnosis?: Diagnosis | undefined;
  /** Wall-clock time of the method without reading and scoring; NaN if not measured. */
  seconds: number;
}

export interface CharacterResult {
  id: string;
  /** V after welding; 0 if the file could not be read. */
  vertices: number;
  joints: number;
  /** By method name. */
  results: Record<string, MethodResult>;
  /** By distance, the statistics of the K nearest bones. */
  topK?: Record<string, TopK>;
  traits?: Traits;
}

/** Statistics of the K nearest bones, one number for each K of {@link TOP_K}. */
export interface TopK {
  weight: number[];
  /** L1 error of the artist's weights restricted to these bones. */
  oracle: number[];
}

export const TOP_K: number[] = [1, 2, 3, 4, 5, 6, 8, 12, 16];

/** An evaluation, with characters and methods in the order requested. */
export interface Evaluation {
  preset: PresetName;
  methods: string[];
  characters: CharacterResult[];
}

/** Properties that make a character hard for methods that measure inside the body. */
export interface Traits {
  /** Fraction of the artist's weight on joints outside the body. */
  outOfBody: number;
  /** Fraction of vertices outside the largest connected part. */
  loose: number;
}

/**
 * Returns the traits of a welded character with the artist's weights.
 *
 * @param outside one byte per cell of the grid, from `fillOutside`
 */
export function traitsOf(character: Character, grid: VoxelGrid, outside: Uint8Array): Traits {
  return { outOfBody: outOfBody(character, grid, outside), loose: loose(character) };
}

function outOfBody(character: Character, grid: VoxelGrid, outside: Uint8Array): number {
  const { skeleton, weights } = character;
  const isOut = Uint8Array.from({ length: jointCount(skeleton) }, (_, joint) => {
    const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    return outside[cellAt(grid, x, y, z)];
  });
  let [sum, total] = [0, 0];
  weights?.weights.forEach((weight, slot) => {
    sum += weight * isOut[weights.joints[slot]];
    total += weight;
  });
  return total === 0 ? 0 : sum / total;
}

function loose({ mesh }: Character): number {
  const V = vertexCount(mesh);
  const { count, component } = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const sizes = new Int32Array(count);
  for (const part of component) sizes[part]++;
  return 1 - sizes.reduce((largest, size) => Math.max(largest, size), 0) / V;
}
