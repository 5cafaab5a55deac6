import type { SkinWeights } from "../../src/index.ts";
import type { Verb } from "../../src/parts.ts";
import type { Binding, BindOptions } from "./bind-calls.ts";

/** Origin of weights. */
export type BindOrigin = "file" | "method" | "cleaned" | "transferred" | "copy";

/** One verb on the way to the weights, as a step of a command line. */
export interface Step {
  verb: Verb;
  /** The file that weights were transferred from. */
  from?: string;
  options: Readonly<Record<string, unknown>>;
}

/** A set of weights of the open character, and how it was computed. */
export interface KeptBind {
  id: number;
  origin: BindOrigin;
  /** A short title: the method's name, or whose weights they are. */
  title: string;
  /** Its options and duration. */
  detail: string;
  /** P rows, of the welded vertices. */
  weights: SkinWeights;
  /** Steps from the file to the weights, in order; empty for the file's own weights. */
  steps: readonly Step[];
  options?: BindOptions | undefined;
  result?: Binding | undefined;
  milliseconds?: number | undefined;
  isPainted: boolean;
  /** Whether the latest strokes were saved to a file. */
  isSaved: boolean;
}
