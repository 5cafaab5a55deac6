import { makeSample } from "../../samples/index.ts";
import type { Character } from "../../src/character/character.ts";
import { reduceMesh } from "../../src/learn/reduce.ts";
import { takeRows } from "../../src/math/arrays.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

/** Samples that differ most: a body with loose parts, a rigid one, and one without limbs. */
export const FEW_SAMPLES: string[] = ["dancer", "robot", "fish"];

/** A sample with about this many vertices, so that methods take milliseconds on it. */
export async function smallSample(
  name: string,
  vertices = 300,
): Promise<Character & { weights: SkinWeights }> {
  const { mesh, skeleton, weights } = makeSample(name);
  const reduced = await reduceMesh(mesh, vertices);
  const { influences, joints, weights: values } = weights!;
  return {
    name,
    mesh: {
      positions: takeRows(mesh.positions, reduced.vertices, 3),
      triangles: reduced.triangles,
    },
    skeleton,
    weights: {
      influences,
      joints: takeRows(joints, reduced.vertices, influences),
      weights: takeRows(values, reduced.vertices, influences),
    },
  };
}
