import { InputError } from "../input-error.ts";

/** Counts of what a file has and its reader does not take, by what it is: "lights", "curves between keys". */
export type Losses = Map<string, number>;

/** One kind of thing that an output does not hold. */
export interface Loss {
  /** What it is, in the plural. */
  what: string;
  count: number;
}

/** Notes that something is lost; nothing where there is none of it. */
export function lose(losses: Losses, what: string, count = 1): void {
  if (count > 0) losses.set(what, (losses.get(what) ?? 0) + count);
}

/** Losses as a list, by name. */
export function listLosses(losses: Losses): Loss[] {
  return [...losses]
    .map(([what, count]) => ({ what, count }))
    .sort((a, b) => (a.what < b.what ? -1 : 1));
}

/** The refusal of a file that contradicts itself. */
export function damaged(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; the file is damaged.`);
}

/** The refusal of a file that its program may have written badly. */
export function badExport(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; export the file again.`);
}

/** The refusal to write a format that only a file of it can be edited to: `a .dae`. */
export function otherFormat(file: string, format: string): InputError {
  return new InputError(
    `${file}: ${format} can only be made of ${format}, which this is not; write a .glb instead.`,
  );
}
