import { InputError } from "../input-error.ts";
import type { Skeleton } from "./skeleton.ts";

/**
 * Finds joints by the names a user typed: as the file spells them, else without regard to case; `*`
 * stands for anything (`finger*`).
 *
 * Throws `InputError` for a name that fits no joint.
 *
 * @param what what the joints are for, as a verb: "lock"
 * @returns J, 1 for each joint found
 */
export function findJoints(patterns: string[], { names }: Skeleton, what: string): Uint8Array {
  const found = new Uint8Array(names.length);
  for (const pattern of patterns) {
    const exact = names.flatMap((name, joint) => (name === pattern ? [joint] : []));
    const alike = exact.length > 0 ? exact : matching(names, pattern, "u");
    const joints = alike.length > 0 ? alike : matching(names, pattern, "iu");
    if (joints.length === 0) {
      throw new InputError(
        `There is no joint "${pattern}" to ${what}; heterskin inspect --verbose lists the joints of a file.`,
      );
    }
    for (const joint of joints) found[joint] = 1;
  }
  return found;
}

function matching(names: string[], pattern: string, flags: string): number[] {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const test = new RegExp(`^${parts.join(".*")}$`, flags);
  return names.flatMap((name, joint) => (test.test(name) ? [joint] : []));
}
