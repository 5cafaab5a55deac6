import { describe, expect, it } from "vitest";
import { makeSample } from "../samples/index.ts";
import { InputError } from "./input-error.ts";
import { skin } from "./skin.ts";
import { METHOD_NAMES } from "./solve/methods.ts";

const NEEDS_MODEL = ["heterskinnet", "paper"];
const octopus = makeSample("octopus");
const vertices = octopus.mesh.positions.length / 3;
const joints = octopus.skeleton.parents.length;

describe("skin", () => {
  it.each(METHOD_NAMES.filter((name) => !NEEDS_MODEL.includes(name)))(
    "gives skin weights by %s, the same for vertices at one place",
    async (method) => {
      const { weights, timings } = await skin(octopus, { method, threads: 1 });
      expect(weights.influences).toBe(4);
      expect(weights).toBeSkinWeights(vertices, joints);
      expect(Object.keys(timings)).toEqual(expect.arrayContaining(["prepare", "finish"]));
      const rows = new Map<string, string>();
      for (let vertex = 0; vertex < vertices; vertex++) {
        const place = octopus.mesh.positions.slice(vertex * 3, vertex * 3 + 3).join();
        const row = weights.weights.slice(vertex * 4, vertex * 4 + 4).join();
        expect(rows.get(place) ?? row).toBe(row);
        rows.set(place, row);
      }
    },
  );

  it("does not depend on where the character stands or how large it is", async () => {
    const moved = structuredClone(octopus);
    for (const positions of [moved.mesh.positions, moved.skeleton.positions]) {
      for (let i = 0; i < positions.length; i++) positions[i] = positions[i] * 64 + 128;
    }
    const [here, there] = [await skin(octopus), await skin(moved)];
    // Rounding of the moved positions may tip single cells of the grid.
    const off = here.weights.weights.filter(
      (w, i) => Math.abs(w - there.weights.weights[i]) > 0.02,
    );
    expect(off.length).toBeLessThan(here.weights.weights.length * 0.01);
  });

  it("gives the same answer twice and leaves the character alone", async () => {
    const before = structuredClone(octopus);
    const [first, second] = [await skin(octopus), await skin(octopus)];
    expect(second.weights).toEqual(first.weights);
    expect(octopus).toEqual(before);
  });

  it("limits and prunes as told", async () => {
    const { weights } = await skin(octopus, { maxInfluences: 2, prune: 0.5 });
    expect(weights.influences).toBe(2);
    for (let i = 0; i < weights.weights.length; i += 2) {
      const [first, second] = weights.weights.subarray(i, i + 2);
      expect(second === 0 || second >= first * 0.5 - 1e-6).toBe(true);
    }
  });

  it("reports progress and stops when told to", async () => {
    const stages = new Set<string>();
    const controller = new AbortController();
    const run = skin(octopus, {
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

  it("names the methods when it does not know one", async () => {
    await expect(skin(octopus, { method: "magic" })).rejects.toThrow(InputError);
    await expect(skin(octopus, { method: "toString" })).rejects.toThrow(/inverse-distance/);
  });
});
