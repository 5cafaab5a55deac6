import type { Skeleton } from "../../src/index.ts";

/** Returns the joint on the other side of a template's skeleton; a joint in the middle returns itself. */
export function otherSideJoint({ names }: Skeleton, joint: number): number {
  const name = names[joint];
  if (name.endsWith(".L")) return names.indexOf(`${name.slice(0, -1)}R`);
  if (name.endsWith(".R")) return names.indexOf(`${name.slice(0, -1)}L`);
  return joint;
}
