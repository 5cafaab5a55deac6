import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { exampleCharacter } from "../../test/helpers/example-character.ts";
import { exampleModel } from "../../test/helpers/example-model.ts";
import { meanL1 } from "../evaluate/metrics.ts";
import { decodeExemplars, encodeExemplars } from "../examples/exemplars.ts";
import { InputError } from "../input-error.ts";
import { readStep } from "../learn/step.ts";
import { skin } from "../skin.ts";
import { adapt } from "./adapt.ts";
import { readNotes } from "./adapt-notes.ts";
import { chooseShare } from "./choose-share.ts";
import {
  blend,
  configOf,
  fits,
  modelFor,
  parametersOf,
  withParameters,
} from "./model-parameters.ts";

let model: Uint8Array;
let step: Uint8Array;
beforeAll(async () => {
  ({ model, step } = await exampleModel());
}, 120_000);

const hero = exampleCharacter("hero", 14);
const villain = exampleCharacter("villain", 20);
const extra = exampleCharacter("extra", 17);
/** Few and large steps, because the network is untrained. */
const quick = { steps: 8, learningRate: 5e-3, variants: 1, provider: "cpu", threads: 1 } as const;

async function errorOn(character: typeof hero, bytes: Uint8Array): Promise<number> {
  const { weights } = await skin(character, { model: bytes, symmetry: false });
  return meanL1(weights, character.weights);
}

describe("adapt", { timeout: 120_000 }, () => {
  test("brings a sibling closer to its artist, reproducibly, and does not modify the model", async () => {
    const before = model.slice();
    const first = await adapt(model, [hero, extra], { ...quick, step });
    const again = await adapt(model, [hero, extra], { ...quick, step });
    expect(again.model).toEqual(first.model);
    expect(model).toEqual(before);
    expect(await errorOn(villain, first.model)).toBeLessThan(0.9 * (await errorOn(villain, model)));
    const notes = readNotes(first.model)!;
    expect(notes).toEqual(first.notes);
    expect(notes.leftOut).toBe(true);
    expect(notes.examples.map(({ name }) => name)).toEqual(["hero", "extra"]);
    for (const { before, after } of notes.examples) expect(after).toBeLessThan(before);
  });

  test("runs in WebAssembly, with nearly the native library's result", async () => {
    const [native, portable] = await Promise.all(
      (["cpu", "wasm"] as const).map((provider) =>
        adapt(model, [hero], { ...quick, steps: 3, step, provider }),
      ),
    );
    const places = readStep(step).parameters;
    const [a, b] = [native, portable].map((adapted) => parametersOf(adapted.model, places));
    expect(b).toBeAllClose(a, 5e-3);
  });

  test("reports progress, and stops on abort", async () => {
    const stop = new AbortController();
    const stages: string[] = [];
    const onProgress = (stage: string, share: number) => {
      stages.push(stage);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      if (stage === "learn" && share > 0.2) stop.abort(new Error("enough"));
    };
    const run = adapt(model, [hero], { ...quick, step, onProgress, signal: stop.signal });
    await expect(run).rejects.toThrow("enough");
    expect([...new Set(stages)]).toEqual(["examples", "learn"]);
  });

  test("refuses an example without weights by its name", async () => {
    const { weights: _, ...bare } = exampleCharacter("bare");
    const run = adapt(model, [hero, bare], { ...quick, step });
    await expect(run).rejects.toThrow(/^bare: .*\(no skin/);
    await expect(run).rejects.toBeInstanceOf(InputError);
  });

  test("refuses no examples, and too many", async () => {
    await expect(adapt(model, [], { step })).rejects.toThrow("got 0");
    await expect(adapt(model, Array(17).fill(hero), { step })).rejects.toThrow("got 17");
  });

  test("refuses the step of another network", async () => {
    const shipped = new Uint8Array(readFileSync("models/heterskin-adapt.onnx"));
    await expect(adapt(model, [hero], { step: shipped })).rejects.toThrow("another network");
  });
});

test("the share follows the gain on held-out examples, or how well a single example is learned", async () => {
  const chosen = (shares: Record<number, number[]>) =>
    chooseShare(shares[0].length, async (share) => shares[share] ?? [share]);
  const two = (some: number, most: number, little = 1) =>
    chosen({
      0: [0.5, 0.5],
      0.2: [0.5, little - 0.5],
      0.4: [0.5, some - 0.5],
      0.8: [0.5, most - 0.5],
    });
  expect(await two(0.8, 0.7)).toEqual({ share: 0.8, before: [0.5, 0.5], after: [0.5, 0.7 - 0.5] });
  expect((await two(0.8, 0.75)).share).toBe(0.4);
  expect((await two(0.95, 0.7, 0.97)).share).toBe(0.2);
  expect(await two(1.1, 1.2, 1.1)).toEqual({ share: 0, before: [0.5, 0.5], after: [0.5, 0.5] });
  const one = async (before: number, after: number) =>
    (await chosen({ 0: [before], 0.8: [after] })).share;
  expect(await one(0.9, 0.2)).toBe(0.8);
  expect(await one(0.3, 0.1)).toBeCloseTo(0.4);
  expect(await one(0.9, 0.8)).toBe(0);
  expect(await one(0.09, 0)).toBe(0);
});

describe("modelFor", () => {
  const named = (prefix: string) => ({
    ...hero.skeleton,
    names: hero.skeleton.names.map((name) => prefix + name),
  });

  test("uses all of the change for a skeleton of the examples, a part for an unrelated one", () => {
    const places = readStep(step).parameters;
    const base = parametersOf(model, places);
    const moved = base.map((value) => value + 1);
    const { skeleton, mesh, weights } = hero;
    const exemplars = encodeExemplars([{ skeleton, positions: mesh.positions, weights }]);
    const adapted = withParameters(model, places, moved, { exemplars });
    expect(decodeExemplars(exemplars)[0].skeleton.names).toEqual(skeleton.names);
    expect(modelFor(skeleton, model, adapted)).toBe(adapted);
    const far = parametersOf(modelFor(named("other "), model, adapted), places);
    const share = far[0] - base[0];
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThan(0.5);
    expect(far).toBeAllClose(blend(base, moved, share), 2e-2);
    // The same body rotated and scaled is kin; one with joints elsewhere shares only the names.
    const { positions } = skeleton;
    const turned = positions.map((_, i) => 7 * positions[i - (i % 3) + ((i + 1) % 3)]);
    expect(modelFor({ ...skeleton, positions: turned }, model, adapted)).toBe(adapted);
    const strange = { ...skeleton, positions: positions.map((value, i) => value * 5 ** (i % 3)) };
    expect(parametersOf(modelFor(strange, model, adapted), places)[0] - base[0]).toBeLessThan(0.9);
  });
});

test("the shipped step fits the shipped model", () => {
  const bytes = (file: string) => new Uint8Array(readFileSync(`models/${file}`));
  const stored = readStep(bytes("heterskin-adapt.onnx"));
  const shipped = bytes("heterskin.onnx");
  expect(fits(stored, configOf(shipped))).toBe(true);
  const flat = parametersOf(shipped, stored.parameters);
  expect(flat.every(Number.isFinite)).toBe(true);
});

test("does not import the compiler or Node's modules", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, from] of code.matchAll(
      /^(?:import|export) (?!type )[^;]*?from "([^"]+)"|^import "([^"]+)"/gm,
    )) {
      if (from?.startsWith(".")) visit(path.join(path.dirname(file), from));
      else expect(`${file}: ${from}`).not.toMatch(/: (node:|@jax-js)/);
    }
  };
  visit("src/adapt/index.ts");
  expect(seen.size).toBeGreaterThan(50);
});
