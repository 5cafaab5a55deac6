import type { SkinWeights } from "../../src/index.ts";
import type { Verb } from "../../src/parts.ts";
import type { Binding, BindOptions } from "./bind-calls.ts";

/** Where weights came from. */
export type BindOrigin = "file" | "method" | "cleaned" | "transferred" | "copy";

/** One verb that made weights, as a command line says it. */
export interface Step {
  verb: Verb;
  /** The file that weights were transferred from. */
  from?: string;
  options: Readonly<Record<string, unknown>>;
}

/** A set of weights of the open character, with how it came about. */
export interface KeptBind {
  id: number;
  origin: BindOrigin;
  /** A few words: the method's name, or whose weights they are. */
  title: string;
  /** The options behind it, and how long it took. */
  detail: string;
  /** P rows, of the welded vertices. */
  weights: SkinWeights;
  /** How they came about from the file, in order; none for the file's own. */
  steps: readonly Step[];
  options?: BindOptions | undefined;
  result?: Binding | undefined;
  milliseconds?: number | undefined;
  isPainted: boolean;
  /** Whether what was painted since was saved to a file. */
  isSaved: boolean;
}
