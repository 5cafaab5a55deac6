import type { Skeleton } from "../../src/index.ts";

/** Which way along z a character looks, by its toes; as glTF has it, along +z, where it has none. */
export function facingOf({ names, parents, positions }: Skeleton): 1 | -1 {
  let ahead = 0;
  names.forEach((name, joint) => {
    const parent = parents[joint];
    if (parent >= 0 && /toe/i.test(name))
      ahead += positions[joint * 3 + 2] - positions[parent * 3 + 2];
  });
  return ahead < -0.01 ? -1 : 1;
}
