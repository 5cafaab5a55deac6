import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeSample } from "../../samples/index.ts";
import * as measure from "../distance/measure.ts";
import { createMeasureCache, measureOnce } from "../distance/measure-cache.ts";
import { prepareCharacter } from "../weights/prepare-character.ts";
import { loadMethod, METHOD_NAMES } from "./methods.ts";
import type { SolveOptions } from "./solver.ts";

/** How often grids were built and distances measured, whoever asked. */
const calls = vi.hoisted(() => ({ voxelize: 0, measure: 0 }));

vi.mock("../distance/measure.ts", async (load) => {
  const real = await load<typeof measure>();
  return {
    ...real,
    voxelizeCharacter: (...given: Parameters<typeof real.voxelizeCharacter>) => {
      calls.voxelize++;
      return real.voxelizeCharacter(...given);
    },
    measureDistancesIn: (...given: Parameters<typeof real.measureDistancesIn>) => {
      calls.measure++;
      return real.measureDistancesIn(...given);
    },
  };
});

beforeEach(() => {
  calls.voxelize = 0;
  calls.measure = 0;
});

const model = (name: string) => new Uint8Array(readFileSync(`models/${name}.onnx`));
const models: Record<string, Uint8Array> = {
  heterskinnet: model("heterskin"),
  paper: model("paper"),
};
const prepared = prepareCharacter(makeSample("mushroom"));

/** The bits of a measurement; comparing arrays of cells one by one takes seconds. */
function bitsOf({ grid, outside, bones, distances }: measure.MeasuredCharacter): string {
  const hash = createHash("sha256").update(`${grid.nx} ${grid.ny} ${grid.nz} ${distances.k}`);
  for (const part of [grid.cells, outside, bones.segments, bones.starts]) hash.update(part);
  return hash.update(distances.bones).update(distances.distances).digest("hex");
}

async function solve(method: string, options: SolveOptions) {
  const seen: string[] = [];
  const weights = await (await loadMethod(method))(prepared, {
    ...{ resolution: 40, threads: 1, provider: "cpu" },
    ...(models[method] ? { model: models[method] } : {}),
    ...options,
    onMeasured: (measured) => seen.push(bitsOf(measured)),
  });
  const { influences, joints } = weights;
  const bits = createHash("sha256").update(joints).update(weights.weights).digest("hex");
  return { influences, bits, seen };
}

describe("methods that share a cache", () => {
  test("give the same weights and distances as without, in either order", async () => {
    const plain = new Map<string, unknown>();
    for (const method of METHOD_NAMES) plain.set(method, await solve(method, {}));
    for (const order of [METHOD_NAMES, METHOD_NAMES.toReversed()]) {
      const measured = createMeasureCache();
      for (const method of [...order, ...order]) {
        expect(await solve(method, { measured }), method).toEqual(plain.get(method));
      }
    }
  });

  test("measure once what their settings have in common", async () => {
    const measured = createMeasureCache();
    await solve("hollow", { measured });
    expect(calls).toEqual({ voxelize: 1, measure: 1 });
    for (const method of ["heat", "heat:blind", "heterskinnet", "hollow"]) {
      await solve(method, { measured });
    }
    expect(calls).toEqual({ voxelize: 1, measure: 1 });
    // Another distance in the same grid, then another grid.
    for (const method of ["volumetric", "geodesic-voxel"]) await solve(method, { measured });
    expect(calls).toEqual({ voxelize: 1, measure: 2 });
    await solve("heat", { measured, resolution: 32 });
    expect(calls).toEqual({ voxelize: 2, measure: 3 });
  });
});

describe("measureOnce", () => {
  const { character } = prepared;

  test.each([1, 3, 16, 20])("gives the %i nearest, whatever was measured before", async (k) => {
    const cache = createMeasureCache();
    for (const first of [2, 18]) {
      await measureOnce(character, { resolution: 32, k: first }, cache);
      const options = { resolution: 32, k };
      expect(bitsOf(await measureOnce(character, options, cache))).toBe(
        bitsOf(measure.measureDistancesSync(character, options)),
      );
    }
  });

  test("does not mix up settings or characters", async () => {
    const cache = createMeasureCache();
    const other = prepareCharacter(makeSample("fish")).character;
    const settings: measure.MeasureOptions[] = [
      {},
      { variant: "paper" },
      { tails: false },
      { leaveWall: false },
      { distance: "euclid" },
      { distance: "volumetric", tails: false },
    ];
    for (const subject of [character, other]) {
      for (const setting of [...settings, ...settings]) {
        const options = { resolution: 32, k: 4, ...setting };
        expect(bitsOf(await measureOnce(subject, options, cache))).toBe(
          bitsOf(measure.measureDistancesSync(subject, options)),
        );
      }
    }
  });

  test("forgets the grid that was not used for longest, and what was aborted", async () => {
    const cache = createMeasureCache();
    for (const resolution of [20, 24, 28, 20, 32]) {
      await measureOnce(character, { resolution }, cache);
    }
    expect(calls.voxelize).toBe(4);
    await measureOnce(character, { resolution: 20 }, cache);
    expect(calls.voxelize).toBe(4);
    await measureOnce(character, { resolution: 24 }, cache);
    expect(calls.voxelize).toBe(5);
    const options = { resolution: 24, distance: "volumetric" as const };
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(measureOnce(character, { ...options, signal }, cache)).rejects.toThrow("enough");
    expect(bitsOf(await measureOnce(character, options, cache))).toBe(
      bitsOf(measure.measureDistancesSync(character, { ...options, k: 16 })),
    );
  });
});
