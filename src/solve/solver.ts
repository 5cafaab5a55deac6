import type { MeasuredCharacter } from "../distance/measure.ts";
import type { MeasureCache } from "../distance/measure-cache.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** What every method understands; a method takes from it what it needs. */
export interface SolveOptions {
  /** Cells along the longest side of the voxel grid. */
  resolution?: number;
  /** Worker threads for distances and for the network. */
  threads?: number;
  /**
   * Vertices (after welding) above which methods of more than linear cost work on a simplified mesh
   * of about that many and carry the weights back; Infinity for never.
   */
  proxyVertices?: number;
  /** Bytes of the `.onnx` model, for methods that run a network. */
  model?: Uint8Array;
  /** Where a network runs; `auto` takes the fastest that is there. */
  provider?: "auto" | "cpu" | "webgpu" | "wasm";
  /**
   * URL of a folder with the `.wasm` files of this package's folder `runtime`, for pages that serve
   * them from a place of their own; unless told, they are where the bundler put them.
   */
  wasmFolder?: string;
  /**
   * Where methods leave the distances they measured, and find those that others did on the same
   * prepared character; weights are the same with and without.
   */
  measured?: MeasureCache;
  /** Told the distances of the character's vertices to its bones, by methods that measure them. */
  onMeasured?: (measured: MeasuredCharacter) => void;
  onProgress?: (stage: string, fraction: number) => void;
  signal?: AbortSignal;
}

/**
 * A method that gives weights to a prepared character, before the limit on influences:
 * rows sorted, normalised, as many slots as the method needs.
 */
export type Solver = (
  prepared: PreparedCharacter,
  options: SolveOptions,
) => SkinWeights | Promise<SkinWeights>;
