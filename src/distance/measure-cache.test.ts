import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { tube } from "../../test/helpers/odd-characters.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { loadMethod, METHOD_NAMES } from "../methods/methods.ts";
import type { SolveOptions } from "../methods/solver.ts";
import * as measure from "./measure.ts";
import { createMeasureCache, measureOnce } from "./measure.ts";

const model = (name: string) => new Uint8Array(readFileSync(`models/${name}.onnx`));
const models: Record<string, Uint8Array> = {
  network: model("heterskin"),
  paper: model("paper"),
};
const prepared = prepareCharacter(makeSample("mushroom"));
/** Small, because every method binds it five times. */
const small = prepareCharacter(tube(10, 8, 4));

/** The bytes of a measurement; comparing arrays cell by cell takes seconds. */
function bitsOf({ grid, outside, bones, distances }: measure.MeasuredCharacter): string {
  const hash = createHash("sha256").update(`${grid.nx} ${grid.ny} ${grid.nz} ${distances.k}`);
  for (const part of [grid.cells, outside, bones.segments, bones.starts]) hash.update(part);
  return hash.update(distances.bones).update(distances.distances).digest("hex");
}

async function solve(method: string, options: SolveOptions, character = prepared) {
  const { weights, measured } = await (await loadMethod(method))(character, {
    resolution: 40,
    threads: 1,
    provider: "cpu",
    model: models[method],
    ...options,
  });
  const { influences, joints } = weights;
  const bits = createHash("sha256").update(joints).update(weights.weights).digest("hex");
  return { influences, bits, measured };
}

/** Solved weights to compare. */
async function solvedBits(method: string, options: SolveOptions) {
  const { measured, ...rest } = await solve(method, options, small);
  return { ...rest, measured: measured && bitsOf(measured) };
}

describe("methods that share a cache", () => {
  test("compute the same weights and distances as without it, in either order", async () => {
    const plain = new Map<string, unknown>();
    for (const method of METHOD_NAMES) plain.set(method, await solvedBits(method, {}));
    for (const order of [METHOD_NAMES, METHOD_NAMES.toReversed()]) {
      const cache = createMeasureCache();
      for (const method of [...order, ...order]) {
        expect(await solvedBits(method, { cache }), method).toEqual(plain.get(method));
      }
    }
  });

  test("measure shared settings once", async () => {
    const cache = createMeasureCache();
    const measured = async (method: string, options: SolveOptions = {}) =>
      (await solve(method, { cache, ...options })).measured!;
    const first = await measured("heat");
    for (const method of ["heat:blind", "network"]) {
      const { grid, distances } = await measured(method);
      expect(grid, method).toBe(first.grid);
      expect(distances, method).toBe(first.distances);
    }
    // Another distance in the same grid, then another grid.
    expect((await measured("volumetric")).grid).toBe(first.grid);
    expect((await measured("heat", { resolution: 32 })).grid).not.toBe(first.grid);
    expect(cache.known.size).toBe(2);
  });
});

describe("measureOnce", () => {
  const { character } = prepared;

  test.each([1, 3, 16, 20])("returns the %i nearest, whatever was measured before", async (k) => {
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

  test("drops the least recently used grid, and aborted measurements", async () => {
    const cache = createMeasureCache();
    const gridAt = async (resolution: number) =>
      (await measureOnce(character, { resolution }, cache)).grid;
    const [first, second] = [await gridAt(20), await gridAt(24)];
    await gridAt(28);
    await gridAt(20);
    await gridAt(32);
    expect(await gridAt(20)).toBe(first);
    expect(await gridAt(24)).not.toBe(second);
    const options = { resolution: 24, distance: "volumetric" as const };
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(measureOnce(character, { ...options, signal }, cache)).rejects.toThrow("enough");
    expect(bitsOf(await measureOnce(character, options, cache))).toBe(
      bitsOf(measure.measureDistancesSync(character, { ...options, k: 16 })),
    );
  });
});
