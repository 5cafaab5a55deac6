import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { CharacterScore } from "../../src/evaluate/index.ts";
import type { Character, Doubts, MethodName, SkinWeights } from "../../src/index.ts";
import type { PoseCheck, PreparedCharacter } from "../../src/parts.ts";
import type { PageProvider } from "./runtime.ts";

/** What the visitor chose in the panel. */
export interface BindOptions {
  method: MethodName;
  maxInfluences: number;
  /** Steps of smoothing over the surface, 0 to 10. */
  smooth: number;
  /** Cells of the grid along the longest side; absent = the method's own. */
  resolution?: number | undefined;
  provider: "auto" | PageProvider;
  /** Whether the two sides of a symmetric character are weighed alike. */
  symmetry: boolean;
}

/** Weights of the welded vertices, and how they came about. */
export interface Binding {
  weights: SkinWeights;
  /** Milliseconds by stage. */
  timings: Record<string, number>;
  warnings: string[];
  /** Where the network ran; nothing for methods without one. */
  provider: PageProvider | undefined;
  threads: number;
  /** Whether the solved weights of an earlier run could be taken. */
  isReused: boolean;
  /** Whether the server found them. */
  isRemote: boolean;
}

/** How the weights compare with those of the file. */
export interface Comparison {
  /** V, 0 to 2. */
  errors: Float32Array;
  score: CharacterScore;
  /** Mean weight the file's own weights have on far joints. */
  bleedBefore: number;
}

/** What the bind worker can be asked. */
export type BindCalls = {
  warm(
    input: { base: string; provider: "auto" | PageProvider },
    report: (stage: string, fraction: number) => void,
  ): Promise<PageProvider>;
  /** With weights that came with its skeleton, if there are any; a bind blends them in. */
  setCharacter(input: { prepared: PreparedCharacter; carried?: SkinWeights | undefined }): void;
  /** Learns from a rigged character; the style is kept until another is set. */
  teach(
    input: { example: Character },
    report: (stage: string, fraction: number) => void,
  ): Promise<{ model: Uint8Array; notes: AdaptNotes }>;
  /** Takes a model that was taught before, or none. */
  setStyle(input: { model: Uint8Array | undefined }): Promise<void>;
  bind(input: BindOptions, report: (stage: string, fraction: number) => void): Promise<Binding>;
  field(input: { joint: number }): Promise<Float32Array>;
  /**
   * Doubts about weights as they are now, painted or not, by welded vertex; more is known about those of
   * the latest binding.
   */
  review(input: { weights: SkinWeights; isLatest: boolean }): Promise<Doubts>;
  /** Takes weight off joints that are far from a vertex inside the body. */
  refine(input: { weights: SkinWeights }): Promise<{ weights: SkinWeights; changed: number }>;
  /** Applies the remedies of findings of a review, as far as they help. */
  fix(input: {
    weights: SkinWeights;
    check: PoseCheck;
    findings: number[];
  }): Promise<{ weights: SkinWeights; fixed: number }>;
  compare(input: { weights: SkinWeights }): Promise<Comparison>;
};
