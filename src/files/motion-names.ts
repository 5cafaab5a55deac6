import { InputError } from "../input-error.ts";
import {
  MOTIONS,
  type MotionClip,
  type MotionName,
  makeMotion,
  motionsFor,
} from "../motion/motions.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** Parses a list of motions; throws `InputError` for an unknown name. */
export function readMotionNames(text: string | undefined): MotionName[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  return names.filter(Boolean).map((name) => {
    const found = MOTIONS.find((known) => known === name);
    if (found) return found;
    throw new InputError(`There is no motion "${name}"; choose from ${MOTIONS.join(", ")}.`);
  });
}

/** Makes motions for a skeleton, and a sentence for each that its body cannot do. */
export function makeMotions(
  skeleton: Skeleton,
  names: readonly MotionName[],
): { motions: MotionClip[]; missing: string[] } {
  const made = names.map((name) => makeMotion(skeleton, name));
  return {
    motions: made.filter((clip) => clip !== undefined),
    missing: names
      .filter((_, i) => !made[i])
      .map(
        (name) =>
          `The skeleton lacks the joints for the motion ${name}; it can do ${motionsFor(skeleton).join(", ")}.`,
      ),
  };
}
