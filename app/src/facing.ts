import type { Character } from "../../src/index.ts";
import { findUp } from "../../src/parts.ts";

/**
 * Which way along z a character with y up looks: with its left at +x, or its toes ahead, along +z; as glTF has
 * it, along +z, where neither is known.
 */
export function facingOf({ skeleton, mesh }: Pick<Character, "skeleton" | "mesh">): 1 | -1 {
  const { names, parents, positions } = skeleton;
  const left = findUp(skeleton, mesh.positions)?.left;
  if (left === "x" || left === "-x") return left === "x" ? 1 : -1;
  let ahead = 0;
  names.forEach((name, joint) => {
    const parent = parents[joint];
    if (parent >= 0 && /toe/i.test(name))
      ahead += positions[joint * 3 + 2] - positions[parent * 3 + 2];
  });
  return ahead < -0.01 ? -1 : 1;
}
