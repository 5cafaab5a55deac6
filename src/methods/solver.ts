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

/** Options of all methods. */
export interface SolveOptions {
  resolution?: number | undefined;
  /** Worker threads for distances and for the network. */
  threads?: number | undefined;
  /**
   * Welded vertices above which methods with superlinear cost use a simplified mesh and transfer
   * the weights back; Infinity disables.
   */
  proxyVertices?: number | undefined;
  /** Bytes of the `.onnx` model, for methods that run a network. */
  model?: Uint8Array | undefined;
  /** Where a network runs; `auto` takes the fastest available. */
  provider?: "auto" | "cpu" | "webgpu" | "wasm" | undefined;
  /**
   * URL of a folder with the `.wasm` files of this package's folder `runtime` (default: next to the
   * bundle).
   */
  wasmFolder?: string | undefined;
  /**
   * Shares measured distances between methods on the same prepared character; does not affect the
   * weights.
   */
  cache?: MeasureCache | undefined;
  /** Whether to include joints of a control rig that move no vertex; see `deformingJoints`. */
  allJoints?: boolean | undefined;
  /** Whether a network's weights are symmetric on a symmetric character (default true). */
  symmetry?: boolean | undefined;
  /**
   * The file's up axis, for networks, which are trained on standing characters; `auto` (default)
   * detects it from the legs.
   */
  up?: "auto" | Direction | undefined;
  /** Share of the weights that the character already has, 0 (default) to 1. */
  blend?: number | undefined;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

export function measureFor(
  { character }: PreparedCharacter,
  { resolution, threads, signal, onProgress, cache }: SolveOptions,
  settings: MeasureOptions,
): Promise<MeasuredCharacter> {
  const control = { signal, onProgress: (part: number) => onProgress?.("distances", part) };
  return measureOnce(character, { resolution, threads, ...control, ...settings }, cache);
}

export interface SolvedWeights {
  /** Before the influence limit: rows sorted and normalized. */
  weights: SkinWeights;
  /** A network's weights before smoothing, which show its uncertainty. */
  unsmoothed?: SkinWeights | undefined;
  /** Distances to the bones, from methods that measure them. */
  measured?: MeasuredCharacter | undefined;
  /** Sentences for the user about how the weights were computed. */
  notes?: string[] | undefined;
}

/** Computes the weights of a prepared character. */
export type Solver = (
  prepared: PreparedCharacter,
  options: SolveOptions,
) => SolvedWeights | Promise<SolvedWeights>;
