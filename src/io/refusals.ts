import { InputError } from "../input-error.ts";

/** The refusal of a file that contradicts itself. */
export function damaged(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; the file is damaged.`);
}

/** The refusal of a file that its program may have written badly. */
export function badExport(file: string, problem: string): InputError {
  return new InputError(`${file}: ${problem}; export the file again.`);
}
