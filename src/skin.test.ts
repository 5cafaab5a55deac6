import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "./character/character.ts";
import { InputError } from "./input-error.ts";
import { weld } from "./mesh/weld.ts";
import { METHOD_NAMES } from "./methods/methods.ts";
import { type SkinOptions, skin } from "./skin.ts";
import type { Stage } from "./stage-clock.ts";
import type { SkinWeights } from "./weights/skin-weights.ts";

const NEEDS_MODEL = ["network", "paper"];
const fish = makeSample("fish");
const split = splitEdges(fish);
const vertices = split.mesh.positions.length / 3;
const joints = fish.skeleton.parents.length;

/** The same character with three vertices of its own for each triangle, as hard edges have them. */
function splitEdges(character: Character): Character {
  const { positions, triangles } = character.mesh;
  const corners = Array.from(triangles, (vertex) => [
    ...positions.subarray(vertex * 3, vertex * 3 + 3),
  ]);
  return {
    name: character.name,
    mesh: {
      positions: Float32Array.from(corners.flat()),
      triangles: Uint32Array.from(triangles.keys()),
    },
    skeleton: character.skeleton,
  };
}

describe("skin", () => {
  test.each(METHOD_NAMES.filter((name) => !NEEDS_MODEL.includes(name)))(
    "gives skin weights by %s, the same for vertices at one place",
    async (method) => {
      const { weights, timings } = await skin(split, { method, threads: 1 });
      expect(weights.influences).toBe(4);
      expect(weights).toBeSkinWeights(vertices, joints);
      expect(Object.keys(timings)).toEqual(expect.arrayContaining(["prepare", "finish"]));
      const { welded } = weld(split.mesh.positions, 0);
      const firsts = new Map<number, number>();
      for (let vertex = vertices - 1; vertex >= 0; vertex--) firsts.set(welded[vertex], vertex);
      const torn = welded.findIndex((place, vertex) => {
        const first = firsts.get(place)! * 4;
        return [0, 1, 2, 3].some(
          (slot) => weights.weights[first + slot] !== weights.weights[vertex * 4 + slot],
        );
      });
      expect(torn).toBe(-1);
    },
  );

  test("blends with the weights that the character has", async () => {
    const count = fish.mesh.positions.length / 3;
    // The first half of the vertices belongs to one joint, the others have no weight.
    const rigid = Float32Array.from({ length: count }, (_, v) => (v < count / 2 ? 1 : 0));
    const joint = joints - 1;
    const given = { influences: 1, joints: new Uint16Array(count).fill(joint), weights: rigid };
    const bound = async (blend: number) => {
      const options: SkinOptions = { method: "heat", blend, prune: 0, maxInfluences: 8 };
      return (await skin({ ...fish, weights: given }, options)).weights;
    };
    const share = ({ influences, joints: list, weights }: SkinWeights, v: number) =>
      weights
        .subarray(v * influences, (v + 1) * influences)
        .reduce((sum, value, slot) => sum + (list[v * influences + slot] === joint ? value : 0), 0);
    // The limit of influences changes shares a little.
    const [none, some, all] = [await bound(0), await bound(0.25), await bound(1)];
    for (let v = 0; v < count; v++) {
      const own = share(none, v);
      expect(share(some, v)).toBeCloseTo(rigid[v] ? 0.75 * own + 0.25 : own, 1);
      expect(share(all, v)).toBeCloseTo(rigid[v] ? 1 : own, 1);
    }
  });

  test("does not depend on where the character stands or how large it is", async () => {
    const moved = structuredClone(fish);
    for (const positions of [moved.mesh.positions, moved.skeleton.positions]) {
      for (let i = 0; i < positions.length; i++) positions[i] = positions[i] * 64 + 128;
    }
    const [here, there] = [await skin(fish), await skin(moved)];
    // Rounding of the moved positions may tip single cells of the grid.
    const off = here.weights.weights.filter(
      (w, i) => Math.abs(w - there.weights.weights[i]) > 0.02,
    );
    expect(off.length).toBeLessThan(here.weights.weights.length * 0.01);
  });

  test("gives the same answer twice and leaves the character alone", async () => {
    const before = structuredClone(fish);
    const [first, second] = [await skin(fish), await skin(fish)];
    expect(second.weights).toEqual(first.weights);
    expect(fish).toEqual(before);
  });

  test("limits and prunes as told", async () => {
    const { weights } = await skin(fish, { maxInfluences: 2, prune: 0.5 });
    expect(weights.influences).toBe(2);
    for (let i = 0; i < weights.weights.length; i += 2) {
      const [first, second] = weights.weights.subarray(i, i + 2);
      expect(second === 0 || second >= first * 0.5 - 1e-6).toBe(true);
    }
  });

  test("reports progress and stops when told to", async () => {
    const stages = new Set<string>();
    const controller = new AbortController();
    const run = skin(fish, {
      signal: controller.signal,
      onProgress: (stage) => {
        stages.add(stage);
        controller.abort();
      },
    });
    await expect(run).rejects.toThrow(/abort/i);
    expect(stages).toContain("prepare");
    expect(stages).not.toContain("finish");
  });

  test("refuses options that leave no joint before the method runs", async () => {
    const stages: string[] = [];
    const onProgress = (stage: string) => stages.push(stage);
    const run = skin(fish, { method: "heat", exclude: ["*"], onProgress });
    await expect(run).rejects.toThrow("All joints are excluded");
    expect(stages).not.toContain("heat");
  });

  test("has literal types for methods and stages", () => {
    const options: SkinOptions = { method: METHOD_NAMES[0], onProgress: (stage: Stage) => stage };
    // @ts-expect-error a misspelled method
    const wrong: SkinOptions = { method: "heeat" };
    // @ts-expect-error there is no such stage
    const stage: Stage = "solving";
    expect([options.method, wrong.method, stage]).toEqual(["network", "heeat", "solving"]);
  });

  test("names the methods when it does not know one", async () => {
    await expect(skin(fish, { method: "magic" as "heat" })).rejects.toThrow(InputError);
    await expect(skin(fish, { method: "toString" as "heat" })).rejects.toThrow(/inverse-distance/);
  });
});
