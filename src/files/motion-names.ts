import type { Character } from "../character/character.ts";
import { InputError } from "../input-error.ts";
import {
  MOTIONS,
  type MotionClip,
  type MotionName,
  makeMotion,
  motionsFor,
} from "../motion/motions.ts";

/** Parses a list of motions; throws `InputError` for an unknown name. */
export function readMotionNames(text: string | undefined): MotionName[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  return names.filter(Boolean).map((name) => {
    const found = MOTIONS.find((known) => known === name);
    if (found) return found;
    throw new InputError(`There is no motion "${name}"; choose from ${MOTIONS.join(", ")}.`);
  });
}

/** Makes motions for a character, and a sentence for each that its body cannot do. */
export function makeMotions(
  { skeleton, mesh }: Pick<Character, "skeleton" | "mesh">,
  names: readonly MotionName[],
): { motions: MotionClip[]; missing: string[] } {
  const made = names.map((name) => makeMotion(skeleton, name, mesh));
  return {
    motions: made.filter((clip) => clip !== undefined),
    missing: names
      .filter((_, i) => !made[i])
      .map(
        (name) =>
          `The skeleton cannot do the motion ${name}: it lacks joints, or lies in its bind pose; it can do ${motionsFor(skeleton, mesh).join(", ")}.`,
      ),
  };
}
