import type { PreparedCharacter } from "../character/character.ts";
import {
  type MeasureCache,
  type MeasuredCharacter,
  type MeasureOptions,
  measureOnce,
} from "../distance/measure.ts";
import type { Direction } from "../skeleton/find-up.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** What every method understands; a method takes from it what it needs. */
export interface SolveOptions {
  /** Cells along the longest side of the voxel grid. */
  resolution?: number | undefined;
  /** Worker threads for distances and for the network. */
  threads?: number | undefined;
  /**
   * Vertices (after welding) above which methods of more than linear cost work on a simplified mesh
   * of about that many and carry the weights back; Infinity for never.
   */
  proxyVertices?: number | undefined;
  /** Bytes of the `.onnx` model, for methods that run a network. */
  model?: Uint8Array | undefined;
  /** Where a network runs; `auto` takes the fastest that is there. */
  provider?: "auto" | "cpu" | "webgpu" | "wasm" | undefined;
  /**
   * URL of a folder with the `.wasm` files of this package's folder `runtime`, for pages that serve
   * them from a place of their own; unless told, they are where the bundler put them.
   */
  wasmFolder?: string;
  /**
   * Where methods leave the distances they measured, and find those that others did on the same
   * prepared character; weights are the same with and without.
   */
  cache?: MeasureCache | undefined;
  /** Whether joints of a control rig that move no vertex are looked at too; see `deformingJoints`. */
  allJoints?: boolean | undefined;
  /** Whether a network gives a symmetric character symmetric weights; true unless told. */
  symmetry?: boolean | undefined;
  /**
   * Which way of the file is up, for networks, which know standing characters: `auto`, unless told,
   * finds one that lies by its legs.
   */
  up?: "auto" | Direction | undefined;
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Measures a character for a method, with the options all methods share. */
export function measureFor(
  { character }: PreparedCharacter,
  { resolution, threads, signal, onProgress, cache }: SolveOptions,
  settings: MeasureOptions,
): Promise<MeasuredCharacter> {
  const control = { signal, onProgress: (share: number) => onProgress?.("distances", share) };
  return measureOnce(character, { resolution, threads, ...control, ...settings }, cache);
}

/** What a method gives. */
export interface SolvedWeights {
  /** Before the limit on influences: rows sorted, normalized, as many slots as the method needs. */
  weights: SkinWeights;
  /** A network's own before they were settled, by the joints it saw: what it is unsure of shows in these. */
  unsmoothed?: SkinWeights | undefined;
  /** The distances of the character's vertices to its bones, from methods that measure them. */
  measured?: MeasuredCharacter | undefined;
  /** What the user should know of how they came about, a sentence each. */
  notes?: string[] | undefined;
}

/** A method that gives weights to a prepared character. */
export type Solver = (
  prepared: PreparedCharacter,
  options: SolveOptions,
) => SolvedWeights | Promise<SolvedWeights>;
