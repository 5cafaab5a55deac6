import type { Diagnosis } from "./diagnose.ts";
import type { PresetName } from "./presets.ts";
import type { CharacterScore } from "./score-weights.ts";
import type { Traits } from "./traits.ts";

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
