import { readOnnx } from "../onnx/onnx-reader.ts";
import type { ChosenShare } from "./choose-share.ts";
import type { Example } from "./example.ts";

/** Default settings of `adapt`; docs/like.md describes the trials. */
export const ADAPT_DEFAULTS = {
  steps: 40,
  learningRate: 6e-4,
  batchVertices: 500,
  variants: 3,
  seed: 1,
};

/** Maximum number of examples. */
export const MAX_EXAMPLES = 16;

/** Name of the metadata entry of an adapted model with its {@link AdaptNotes}. */
const NOTES_ENTRY = "adapted";

/** The examples of an adapted model, and their errors. */
export interface AdaptNotes {
  examples: {
    name: string;
    /** L1 error of the model before and after adaptation. */
    before: number;
    after: number;
  }[];
  /** Whether examples were scored by models trained without them. */
  leftOut: boolean;
  /** Interpolation towards the trained parameters, 0 to 1: as far as it helps held-out examples. */
  share: number;
}

/** Summarizes an adaptation. */
export function notesOf(examples: Example[], { share, before, after }: ChosenShare): AdaptNotes {
  const rounded = (value: number) => Number(value.toFixed(4));
  return {
    examples: examples.map(({ name }, i) => ({
      name,
      before: rounded(before[i]),
      after: rounded(after[i]),
    })),
    leftOut: examples.length > 1,
    share,
  };
}

/** Returns the notes as metadata of a model. */
export function notesEntry(notes: AdaptNotes): Record<string, string> {
  return { [NOTES_ENTRY]: JSON.stringify(notes) };
}

/** Reads the notes of a model; undefined if it was not adapted. */
export function readNotes(model: Uint8Array): AdaptNotes | undefined {
  const text = readOnnx(model).metadata[NOTES_ENTRY];
  return text === undefined ? undefined : (JSON.parse(text) as AdaptNotes);
}
