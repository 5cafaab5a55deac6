import { describe, expect, test } from "vitest";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import "../../test/helpers/matchers.ts";
import type { PreparedCharacter } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { boneHeat, boneHeatBlind } from "./heat.ts";

/** A closed box with sides of n×n squares, wound outward or inward. */
function box(low: number[], high: number[], n: number, inwards = false): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const far of [0, 1]) {
      const base = positions.length / 3;
      for (let i = 0; i <= n; i++) {
        for (let j = 0; j <= n; j++) {
          const p = [0, 0, 0];
          p[axis] = far;
          p[(axis + 1) % 3] = i / n;
          p[(axis + 2) % 3] = j / n;
          positions.push(...p.map((t, k) => low[k] + t * (high[k] - low[k])));
          if (i === n || j === n) continue;
          const a = base + i * (n + 1) + j;
          const square = [a, a + n + 1, a + n + 2, a, a + n + 2, a + 1];
          triangles.push(...((far === 1) !== inwards ? square : square.reverse()));
        }
      }
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function prepare(mesh: Mesh, skeleton: Skeleton): PreparedCharacter {
  return prepareCharacter({ name: "boxes", mesh, skeleton });
}

/** Mean weight of some joints over the original vertices from `first` to `last`. */
function meanWeight(
  prepared: PreparedCharacter,
  weights: SkinWeights,
  joints: number[],
  first: number,
  last: number,
): number {
  let sum = 0;
  for (let v = first; v < last; v++) {
    const row = prepared.welded[v] * weights.influences;
    for (let i = row; i < row + weights.influences; i++) {
      if (joints.includes(weights.joints[i])) sum += weights.weights[i] / (last - first);
    }
  }
  return sum;
}

/** A body with one bone along its middle, and an arm next to it, with a narrow gap between them. */
const hanging: Skeleton = {
  names: ["root", "body", "body end", "arm", "arm end"],
  parents: Int32Array.from([-1, 0, 1, 0, 3]),
  positions: Float32Array.from(
    [
      [0, -1, 0],
      [0, 0, 0],
      [0, 1, 0],
      [0.22, 0.9, 0],
      [0.22, 0.1, 0],
    ].flat(),
  ),
};
const body = box([-0.15, 0, -0.15], [0.15, 1, 0.15], 10);
const arm = box([0.18, 0.1, -0.03], [0.26, 0.9, 0.03], 10);
const ball = box([-0.1, 1.3, -0.1], [0.1, 1.5, 0.1], 4);
const bodyCount = body.positions.length / 3;
const armCount = arm.positions.length / 3;

describe.each([
  ["heat", boneHeat],
  ["heat:blind", boneHeatBlind],
])("%s", (_, solve) => {
  test("an arm next to the body follows its own bone, and the body its own", async () => {
    const prepared = prepare(joinMeshes(body, arm), hanging);
    const { weights } = await solve(prepared);
    expect(weights).toBeSkinWeights(prepared.character.mesh.positions.length / 3, 5);
    const end = bodyCount + armCount;
    expect(meanWeight(prepared, weights, [3, 4], bodyCount, end)).toBeGreaterThan(0.99);
    expect(meanWeight(prepared, weights, [0, 1, 2], 0, bodyCount)).toBeGreaterThan(0.9);
  });

  test("a part that floats above follows the topmost bone", async () => {
    const prepared = prepare(joinMeshes(body, arm, ball), hanging);
    const { weights } = await solve(prepared);
    const start = bodyCount + armCount;
    const end = start + ball.positions.length / 3;
    expect(meanWeight(prepared, weights, [1, 2], start, end)).toBeGreaterThan(0.99);
  });

  test("a mesh with inverted winding receives the same weights", async () => {
    const arms = [false, true].map((inwards) =>
      box([0.18, 0.1, -0.03], [0.26, 0.9, 0.03], 10, inwards),
    );
    const bodies = [false, true].map((inwards) =>
      box([-0.15, 0, -0.15], [0.15, 1, 0.15], 10, inwards),
    );
    const [right, wrong] = await Promise.all(
      [0, 1].map((i) => solve(prepare(joinMeshes(bodies[i], arms[i]), hanging))),
    );
    expect(wrong.weights.joints).toEqual(right.weights.joints);
    expect(wrong.weights.weights).toBeAllClose(right.weights.weights, 1e-5);
  });
});

test("one triangle, one joint, loose points: every vertex has weight", async () => {
  const skeleton: Skeleton = {
    names: ["only"],
    parents: Int32Array.from([-1]),
    positions: Float32Array.from([9, 9, 9]),
  };
  const mesh: Mesh = {
    // More isolated points than corners: they count as the body too.
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 3, 3, 2, 2, 2, 3, 2, 2, 2, 3, 3]),
    triangles: Uint32Array.from([0, 1, 2]),
  };
  expect((await boneHeat(prepare(mesh, skeleton))).weights).toBeSkinWeights(7, 1);
});

test("reports both stages and stops on abort", async () => {
  const prepared = prepare(joinMeshes(body, arm), hanging);
  const stages = new Set<string>();
  await boneHeat(prepared, { onProgress: (stage) => stages.add(stage) });
  expect([...stages]).toEqual(["distances", "heat"]);
  const signal = AbortSignal.abort();
  await expect(boneHeat(prepared, { signal })).rejects.toThrow();
});
