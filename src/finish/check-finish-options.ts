import { InputError } from "../input-error.ts";
import { type FinishOptions, MIRRORS } from "./finish-weights.ts";

/** More steps than this change nothing that is seen, and take without end. */
export const MOST_SMOOTH_STEPS = 1000;

/** Refuses options of the finish that cannot be worked with, with an `InputError` that says which. */
export function checkFinishOptions(options: FinishOptions): void {
  checkNumber("maxInfluences", options.maxInfluences, 1, 65535, true);
  checkNumber("prune", options.prune, 0, 1);
  checkNumber("adapt", options.adapt, 0, 1);
  checkNumber("smooth", options.smooth, 0, MOST_SMOOTH_STEPS, true);
  for (const name of ["lock", "exclude"] as const) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) {
      throw new InputError(`${name} must be a list of names of joints.`);
    }
  }
  const { mirror } = options;
  if (mirror !== undefined && !MIRRORS.includes(mirror)) {
    throw new InputError(`mirror must be one of ${MIRRORS.join(", ")}; got "${String(mirror)}".`);
  }
}

/** Refuses a value that is given and is no number within its bounds. */
export function checkNumber(
  name: string,
  value: unknown,
  least: number,
  most: number,
  isWhole = false,
): void {
  if (value === undefined) return;
  const isNumber = typeof value === "number" && value >= least && value <= most;
  if (isNumber && (!isWhole || value === Infinity || Number.isInteger(value))) return;
  const kind = isWhole ? "a whole number" : "a number";
  const got = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new InputError(`${name} must be ${kind} from ${least} to ${most}; got ${got}.`);
}
