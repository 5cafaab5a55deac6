import type { Character } from "../character/character.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import type { Diagnosis } from "./diagnose.ts";
import type { PresetName } from "./presets.ts";
import type { CharacterScore } from "./score-weights.ts";

/** What one method did on one character: a score, or the reason there is none. */
export interface MethodResult {
  score?: CharacterScore;
  error?: string;
  /** Reasons behind a high error, where asked for. */
  diagnosis?: Diagnosis | undefined;
  /** Wall-clock time of the method alone, without reading and scoring; NaN where it was not measured. */
  seconds: number;
}

/** One row of an evaluation. */
export interface CharacterResult {
  id: string;
  /** V after welding; 0 where the file could not be read. */
  vertices: number;
  joints: number;
  /** By the method's name. */
  results: Record<string, MethodResult>;
  /** By distance: what lies within the K nearest bones, for each K of TOP_K. */
  topK?: Record<string, TopK>;
  traits?: Traits;
}

/** What the K nearest bones hold, one number for each K of {@link TOP_K}. */
export interface TopK {
  /** Share of the artist's weight. */
  weight: number[];
  /** L1 error left with the artist's weights on those bones. */
  oracle: number[];
}

/** The K of the top-K curves. */
export const TOP_K: number[] = [1, 2, 3, 4, 5, 6, 8, 12, 16];

/** A whole evaluation: characters in the order they were given, methods in the order asked for. */
export interface Evaluation {
  preset: PresetName;
  methods: string[];
  characters: CharacterResult[];
}

/** What makes a character hard for methods that walk inside the body. */
export interface Traits {
  /** Share of the artist's weight on joints that lie outside the body. */
  outOfBody: number;
  /** Share of vertices outside the largest connected part. */
  loose: number;
}

/**
 * Traits of a welded character with the artist's weights.
 *
 * @param grid of this character
 * @param outside one byte a cell, as `fillOutside` gives it
 */
export function traitsOf(character: Character, grid: VoxelGrid, outside: Uint8Array): Traits {
  return { outOfBody: outOfBody(character, grid, outside), loose: loose(character) };
}

function outOfBody(character: Character, grid: VoxelGrid, outside: Uint8Array): number {
  const { skeleton, weights } = character;
  const J = jointCount(skeleton);
  const isOut = new Uint8Array(J);
  for (let joint = 0; joint < J; joint++) {
    const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    isOut[joint] = outside[cellAt(grid, x, y, z)];
  }
  let [sum, total] = [0, 0];
  weights?.weights.forEach((weight, slot) => {
    sum += weight * isOut[weights.joints[slot]];
    total += weight;
  });
  return total === 0 ? 0 : sum / total;
}

function loose({ mesh }: Character): number {
  const V = mesh.positions.length / 3;
  const { count, component } = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const sizes = new Int32Array(count);
  for (const part of component) sizes[part]++;
  return 1 - sizes.reduce((most, size) => Math.max(most, size), 0) / V;
}
