import { readOnnx } from "../onnx/onnx-reader.ts";
import type { ChosenShare } from "./choose-share.ts";
import type { Example } from "./example.ts";

/** How `adapt` learns when nobody says; docs/like.md has what was tried. */
export const ADAPT_DEFAULTS = {
  steps: 40,
  learningRate: 6e-4,
  batchVertices: 500,
  variants: 3,
  seed: 1,
};

/** Most characters that are learned from at once. */
export const MOST_EXAMPLES = 16;

/** Name of the metadata entry in which an adapted model says what it has learned from. */
const NOTES_ENTRY = "adapted";

/** What a model has learned from, and what that has changed. */
export interface AdaptNotes {
  examples: {
    name: string;
    /** L1 error on it of the model before, and of the one that has learned. */
    before: number;
    after: number;
  }[];
  /** Whether an example was scored by what was learned without it. */
  leftOut: boolean;
  /** How far the model went towards what was learned, 0 to 1: as far as it helped the examples left out. */
  share: number;
}

/** Sums up an adaptation. */
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

/** The notes as metadata of a model. */
export function notesEntry(notes: AdaptNotes): Record<string, string> {
  return { [NOTES_ENTRY]: JSON.stringify(notes) };
}

/** What a model has learned from; nothing where it was not adapted. */
export function readNotes(model: Uint8Array): AdaptNotes | undefined {
  const text = readOnnx(model).metadata[NOTES_ENTRY];
  return text === undefined ? undefined : (JSON.parse(text) as AdaptNotes);
}
