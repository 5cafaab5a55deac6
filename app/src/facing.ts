import type { Character } from "../../src/index.ts";
import { findUp } from "../../src/parts.ts";

/**
 * Direction along z that a character with y up faces: +1 if its left is at +x or its toes point to +z, as in
 * glTF; also +1 if neither is known.
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
