import { InputError } from "../input-error.ts";

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
