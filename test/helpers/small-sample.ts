import { makeSample } from "../../samples/index.ts";
import type { Character } from "../../src/character/character.ts";
import { reduceMesh } from "../../src/learn/reduce.ts";
import { takeRows } from "../../src/math/arrays.ts";

/** A sample of about 300 vertices, with its weights. */
export async function smallSample(name: string): Promise<Character> {
  const { mesh, skeleton, weights } = makeSample(name);
  const { vertices, triangles } = await reduceMesh(mesh, 300);
  const { influences, joints, weights: values } = weights!;
  return {
    name,
    mesh: { positions: takeRows(mesh.positions, vertices, 3), triangles },
    skeleton,
    weights: {
      influences,
      joints: takeRows(joints, vertices, influences),
      weights: takeRows(values, vertices, influences),
    },
  };
}
