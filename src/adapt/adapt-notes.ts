import { readOnnx } from "../onnx/onnx-reader.ts";
import type { ChosenShare } from "./choose-share.ts";
import type { Example } from "./learn.ts";

/** Defaults of `adapt`; docs/like.md lists the experiments. */
export const ADAPT_DEFAULTS = {
  steps: 40,
  learningRate: 6e-4,
  batchVertices: 500,
  variants: 3,
  seed: 1,
};

/** Maximum number of example characters. */
export const MAX_EXAMPLES = 16;

/** Metadata key of the notes. */
const NOTES_ENTRY = "adapted";

/** The examples of an adapted model and its scores. */
export interface AdaptNotes {
  /** With the L1 errors of the base model and of the adapted model. */
  examples: { name: string; before: number; after: number }[];
  /** Whether each example was scored by a model trained without it. */
  leftOut: boolean;
  /** Interpolation factor from the base model to the learned parameters, 0 to 1. */
  share: number;
}

export function notesOf(examples: Example[], { share, before, after }: ChosenShare): AdaptNotes {
  const rounded = (value: number) => Number(value.toFixed(4));
  const scored = examples.map(({ name }, i) => ({
    name,
    before: rounded(before[i]),
    after: rounded(after[i]),
  }));
  return { examples: scored, leftOut: examples.length > 1, share };
}

/** Returns the notes as model metadata. */
export function notesEntry(notes: AdaptNotes): Record<string, string> {
  return { [NOTES_ENTRY]: JSON.stringify(notes) };
}

/** Reads the notes of a model; undefined if it was not adapted. */
export function readNotes(model: Uint8Array): AdaptNotes | undefined {
  const text = readOnnx(model).metadata[NOTES_ENTRY];
  return text === undefined ? undefined : (JSON.parse(text) as AdaptNotes);
}
