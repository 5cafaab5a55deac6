import type { Character } from "../character/character.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import type { Diagnosis } from "./diagnose.ts";
import type { PresetName } from "./presets.ts";
import type { CharacterScore } from "./score-weights.ts";

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
