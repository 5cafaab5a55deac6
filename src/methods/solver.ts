import type { PreparedCharacter } from "../character/character.ts";
import {
  type MeasureCache,
  type MeasuredCharacter,
  type MeasureOptions,
  measureOnce,
} from "../distance/measure.ts";
import type { Direction } from "../skeleton/find-up.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** Options shared by all methods. */
export interface SolveOptions {
  resolution?: number | undefined;
  /** Worker threads for distances and for the network. */
  threads?: number | undefined;
  /**
   * Vertices (after welding) above which methods of more than linear cost work on a simplified mesh of about
   * that many; Infinity for never.
   */
  proxyVertices?: number | undefined;
  /** Bytes of the `.onnx` model, for methods that run a network. */
  model?: Uint8Array | undefined;
  /** Where a network runs; `auto` chooses the fastest available. */
  provider?: "auto" | "cpu" | "webgpu" | "wasm" | undefined;
  /** URL of a folder with the `.wasm` files of this package's folder `runtime`; default: set by the bundler. */
  wasmFolder?: string;
  /** Shares measured distances between methods on the same prepared character; weights do not depend on it. */
  cache?: MeasureCache | undefined;
  /** Whether joints of a control rig that move no vertex are included; see `deformingJoints`. */
  allJoints?: boolean | undefined;
  /** Whether a network's weights of a symmetric character are symmetric; default true. */
  symmetry?: boolean | undefined;
  /** The file's up axis, for networks, which expect standing characters; `auto` (default) detects it. */
  up?: "auto" | Direction | undefined;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

/** Measures a character for a method, with the shared options. */
export function measureFor(
  { character }: PreparedCharacter,
  { resolution, threads, signal, onProgress, cache }: SolveOptions,
  settings: MeasureOptions,
): Promise<MeasuredCharacter> {
  const control = { signal, onProgress: (fraction: number) => onProgress?.("distances", fraction) };
  return measureOnce(character, { resolution, threads, ...control, ...settings }, cache);
}

/** Result of a method. */
export interface SolvedWeights {
  /** Before the limit on influences: rows sorted, normalized, as many slots as the method needs. */
  weights: SkinWeights;
  /** A network's weights before smoothing, by the joints it saw, which show its uncertainty. */
  unsmoothed?: SkinWeights | undefined;
  /** The distances of the character's vertices to its bones, from methods that measure them. */
  measured?: MeasuredCharacter | undefined;
  notes?: string[] | undefined;
}

/** A method that computes the weights of a prepared character. */
export type Solver = (
  prepared: PreparedCharacter,
  options: SolveOptions,
) => SolvedWeights | Promise<SolvedWeights>;
