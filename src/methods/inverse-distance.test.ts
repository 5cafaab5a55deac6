import { describe, expect, test } from "vitest";
import { prepareCharacter } from "../character/prepare-character.ts";
import { createRandom } from "../math/random.ts";
import { inverseDistance } from "./falloff.ts";

function cloud(seed: number, joints: number) {
  const random = createRandom(seed);
  return prepareCharacter({
    name: "cloud",
    mesh: {
      positions: Float32Array.from({ length: 300 }, random),
      triangles: new Uint32Array(0),
    },
    skeleton: {
      names: Array.from({ length: joints }, (_, i) => `joint ${i}`),
      parents: Int32Array.from(
        { length: joints },
        (_, i) => Math.floor(random() * i) - (i ? 0 : 1),
      ),
      positions: Float32Array.from({ length: joints * 3 }, random),
    },
  });
}

describe("inverseDistance", () => {
  test.each([1, 2, 5, 30])("computes skin weights with %i joints", async (joints) => {
    const { weights } = inverseDistance(cloud(joints, joints));
    expect(weights).toBeSkinWeights(100, joints);
    expect(weights.influences).toBe(Math.min(8, joints));
  });

  test("follows the nearest bone most", () => {
    const prepared = cloud(3, 6);
    const { positions } = prepared.character.mesh;
    prepared.character.skeleton.parents.fill(-1);
    const { influences, joints } = inverseDistance(prepared).weights;
    const heads = prepared.character.skeleton.positions;
    for (let vertex = 0; vertex < 100; vertex++) {
      const distances = Array.from({ length: 6 }, (_, joint) =>
        Math.hypot(...[0, 1, 2].map((a) => heads[joint * 3 + a] - positions[vertex * 3 + a])),
      );
      expect(joints[vertex * influences]).toBe(distances.indexOf(Math.min(...distances)));
    }
  });

  test("stops on abort", () => {
    expect(() => inverseDistance(cloud(1, 3), { signal: AbortSignal.abort() })).toThrow();
  });
});
