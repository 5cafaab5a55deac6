import { InputError } from "../input-error.ts";

/** Counts of what a file has and its reader ignores, by kind: "area lights", "cubic keyframes". */
export type Losses = Map<string, number>;

/** One kind of content that an output does not carry over. */
export interface Loss {
  /** What it is, in the plural. */
  what: string;
  count: number;
}

/** Adds to the count of a kind of loss; a count of 0 adds nothing. */
export function reportLoss(losses: Losses, what: string, count = 1): void {
  if (count > 0) losses.set(what, (losses.get(what) ?? 0) + count);
}

/** Returns losses as a list, sorted by name. */
export function listLosses(losses: Losses): Loss[] {
  return [...losses]
    .map(([what, count]) => ({ what, count }))
    .sort((a, b) => (a.what < b.what ? -1 : 1));
}

/** Error for a file that contradicts itself. */
export function damaged(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; the file is damaged.`);
}

/** Error for a file that its program may have exported badly. */
export function badExport(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; export the file again.`);
}

/** Error for an output format that only an input of the same format can be written to: `a .dae`. */
export function otherFormat(file: string, format: string): InputError {
  return new InputError(
    `${file}: only ${format} can be written as ${format}; write a .glb or .fbx instead.`,
  );
}

/** Error for a polygon with an index out of range. */
export function badVertex(file: string, mesh: string, index: number, count: number): InputError {
  return damaged(file, `a polygon of "${mesh}" uses vertex ${index}, but there are ${count}`);
}

/** Losses that several formats report. */
export const ANIMATED_PROPERTIES =
  "animated properties other than translation, rotation, scale and blend shapes";
export const CUBIC_KEYS = "cubic keyframe curves (now linear)";
