import type { BoneDoubt, Doubts } from "../../src/index.ts";
import { BONE_DOUBT_TEXT } from "../../src/parts.ts";

/** Maximum number of bones named in a line. */
const NAMED = 3;

/** A line about bones, and the joint that it selects. */
export interface BoneDoubtLine {
  text: string;
  joint: number;
}

/** Lists doubtful bones in few lines: one per bone, or one per reason if many bones share it. */
export function boneDoubtLines(bones: Doubts["bones"], names: readonly string[]): BoneDoubtLine[] {
  const reasons = Object.keys(BONE_DOUBT_TEXT) as BoneDoubt[];
  return reasons.flatMap((reason) => {
    const own = bones.filter((bone) => bone.reason === reason);
    if (own.length <= NAMED) {
      return own.map(({ joint }) => ({
        text: `${names[joint]} is ${BONE_DOUBT_TEXT[reason]}`,
        joint,
      }));
    }
    const some = own.slice(0, NAMED).map(({ joint }) => names[joint]);
    const text = `${own.length} bones are ${BONE_DOUBT_TEXT[reason]}: ${some.join(", ")} and ${own.length - NAMED} more`;
    return [{ text, joint: own[0].joint }];
  });
}
