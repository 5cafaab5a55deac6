import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { falloffSolver, falloffWeights } from "./falloff.ts";
import { loadMethod } from "./methods.ts";

const NAMES = ["hollow", "euclid", "volumetric", "geodesic-voxel", "geodesic-voxel:maya"];

test("weights follow the formula, by hand", () => {
  const distances = {
    k: 3,
    bones: Int32Array.of(7, 2, -1),
    distances: Float32Array.of(0.1, 0.2, Infinity),
  };
  // 1 / (0.5 d + 0.5 d²): 18.18 and 8.33, squared 330.6 and 69.4.
  const { joints, weights } = falloffWeights(distances, 0.5);
  expect([...joints]).toEqual([7, 2, 0]);
  expect(weights[0]).toBeCloseTo(330.5785 / (330.5785 + 69.4444), 5);
  expect(weights[2]).toBe(0);
});

test("a vertex on a bone follows only that bone, and rows still sum to 1", () => {
  const distances = {
    k: 2,
    bones: Int32Array.of(1, 0),
    distances: Float32Array.of(0, 0.5),
  };
  const { weights } = falloffWeights(distances, 0.2);
  expect(weights[0]).toBeGreaterThan(0.999);
  expect(weights[0] + weights[1]).toBeCloseTo(1, 6);
});

describe.each(["mushroom", "fish"])("on the %s", (name) => {
  const prepared = prepareCharacter(makeSample(name));
  const vertices = prepared.character.mesh.positions.length / 3;

  test.each(NAMES)("%s assigns weights to every vertex", async (method) => {
    const solve = await loadMethod(method);
    const stages: string[] = [];
    const { weights } = await solve(prepared, {
      resolution: 40,
      onProgress: (stage) => stages.push(stage),
    });
    expect(weights).toBeSkinWeights(vertices, prepared.character.skeleton.parents.length);
    expect(weights.influences).toBe(method.endsWith("maya") ? 5 : 3);
    expect(stages.length > 0).toBe(method !== "euclid");
  });

  test("the falloff determines the sharpness of the weights", async () => {
    const largest = async (falloff: number) => {
      const solve = falloffSolver("volumetric", { resolution: 40, falloff, influences: 3 });
      const { weights } = await solve(prepared, {});
      let sum = 0;
      for (let v = 0; v < vertices; v++) sum += weights.weights[v * 3];
      return sum / vertices;
    };
    expect(await largest(1)).toBeGreaterThan(await largest(0));
  });
});

test("an aborted solve rejects with the reason", async () => {
  const prepared = prepareCharacter(makeSample("fish"));
  const solve = await loadMethod("hollow");
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(solve(prepared, { resolution: 40, signal })).rejects.toThrow("enough");
});
