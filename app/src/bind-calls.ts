import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { CharacterScore } from "../../src/evaluate/index.ts";
import type { Character, Doubts, MethodName, SkinWeights } from "../../src/index.ts";
import type { PoseCheck, PreparedCharacter } from "../../src/parts.ts";
import type { PageProvider } from "./runtime.ts";

/** Options chosen in the panel. */
export interface BindOptions {
  method: MethodName;
  maxInfluences: number;
  /** Smoothing iterations over the surface, 0 to 10. */
  smooth: number;
  /** Cells of the grid along the longest side; absent = the method's default. */
  resolution?: number | undefined;
  provider: "auto" | PageProvider;
  /** Whether both sides of a symmetric character receive the same weights. */
  symmetry: boolean;
}

/** Weights of the welded vertices, and how they were computed. */
export interface Binding {
  weights: SkinWeights;
  /** Milliseconds by stage. */
  timings: Record<string, number>;
  warnings: string[];
  /** Where the network ran; absent for methods without one. */
  provider: PageProvider | undefined;
  threads: number;
  /** Whether the solved weights of an earlier bind were reused. */
  isReused: boolean;
  /** Whether the server computed them. */
  isRemote: boolean;
}

/** Comparison of the weights with those of the file. */
export interface Comparison {
  /** V, 0 to 2. */
  errors: Float32Array;
  score: CharacterScore;
  /** Mean weight of the file's own weights on distant joints. */
  bleedBefore: number;
}

/** Calls of the bind worker. */
export type BindCalls = {
  warm(
    input: { base: string; provider: "auto" | PageProvider },
    report: (stage: string, fraction: number) => void,
  ): Promise<PageProvider>;
  /** `carried` weights came with the skeleton; a bind blends them in. */
  setCharacter(input: { prepared: PreparedCharacter; carried?: SkinWeights | undefined }): void;
  /** Learns from a rigged character; the style is kept until another is set. */
  teach(
    input: { example: Character },
    report: (stage: string, fraction: number) => void,
  ): Promise<{ model: Uint8Array; notes: AdaptNotes }>;
  /** Sets the adapted model; undefined restores the default. */
  setStyle(input: { model: Uint8Array | undefined }): Promise<void>;
  bind(input: BindOptions, report: (stage: string, fraction: number) => void): Promise<Binding>;
  field(input: { joint: number }): Promise<Float32Array>;
  /**
   * Finds doubts about weights in their current state, painted or not, by welded vertex. The review of the
   * latest bind knows more.
   */
  review(input: { weights: SkinWeights; isLatest: boolean }): Promise<Doubts>;
  /** Removes weight from joints that are far from a vertex inside the body. */
  refine(input: { weights: SkinWeights }): Promise<{ weights: SkinWeights; changed: number }>;
  /** Applies the remedies of findings of a review, as far as they help. */
  fix(input: {
    weights: SkinWeights;
    check: PoseCheck;
    findings: number[];
  }): Promise<{ weights: SkinWeights; fixed: number }>;
  compare(input: { weights: SkinWeights }): Promise<Comparison>;
};
