import { describe, expect, test } from "vitest";
import { noisyWeights, symmetricCharacter } from "../../test/helpers/symmetric-character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { findSymmetry } from "../character/symmetry.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { readRow, type SkinWeights, weightIn } from "../weights/skin-weights.ts";
import { type FinishOptions, finishWeights } from "./finish-weights.ts";

const { character } = prepareCharacter(symmetricCharacter());
const { mesh, skeleton } = character;
const artist = character.weights!;
const V = mesh.positions.length / 3;
const J = skeleton.parents.length;
const { partners, twins } = findSymmetry(character, 0);
const { component } = connectedComponents(vertexNeighbors(mesh.triangles, V));
const joint = (name: string) => skeleton.names.indexOf(name);

const PASSES: Record<string, Partial<FinishOptions>> = {
  smooth: { smooth: 3 },
  prune: { prune: 0.3 },
  limit: { maxInfluences: 2 },
  adapt: { adapt: 0.1 },
  mirror: { mirror: "x" },
  lock: { lock: ["arm.L"] },
  keep: { keepExisting: true },
  exclude: { exclude: ["hand.*"] },
  all: { allJoints: true },
  rigid: { rigidIslands: true },
};
const NAMES = Object.keys(PASSES);
const SINGLES = NAMES.map((name) => [name]);
const PAIRS = NAMES.flatMap((a, i) => NAMES.slice(i + 1).map((b) => [a, b]));

function finish(passes: string[], seed: number): SkinWeights {
  const options = Object.assign({ maxInfluences: 4, prune: 0 }, ...passes.map((p) => PASSES[p]));
  return finishWeights(noisyWeights(V, J, seed), character, options).weights;
}

/** A vertex with weights in the file. */
const isPainted = (vertex: number) => readRow(artist, vertex).joints.length > 0;

function expectLocked(weights: SkinWeights, locked: (joint: number) => boolean): void {
  for (let vertex = 0; vertex < V; vertex++) {
    if (!isPainted(vertex)) continue;
    const [row, kept] = [readRow(weights, vertex), readRow(artist, vertex)];
    for (let j = 0; j < J; j++) {
      if (locked(j)) expect(Math.abs(weightIn(row, j) - weightIn(kept, j))).toBeLessThan(1e-6);
    }
  }
}

function expectMirrored(weights: SkinWeights): void {
  for (let vertex = 0; vertex < V; vertex++) {
    const [row, other] = [readRow(weights, vertex), readRow(weights, partners[vertex])];
    for (let j = 0; j < J; j++) {
      expect(Math.abs(weightIn(row, j) - weightIn(other, twins[j]))).toBeLessThan(1e-5);
    }
  }
}

function expectRigid(weights: SkinWeights): void {
  for (let vertex = 0; vertex < V; vertex++) {
    const first = component.indexOf(component[vertex]);
    if (isPainted(vertex)) continue;
    const [row, same] = [readRow(weights, vertex), readRow(weights, first)];
    for (let j = 0; j < J; j++) expect(weightIn(row, j)).toBeCloseTo(weightIn(same, j), 6);
  }
}

describe("finishWeights", () => {
  test("works on a character that is its own mirror image", () => {
    expect(partners.every((partner) => partner >= 0)).toBe(true);
    expect([...twins]).toEqual([0, 1, 2, 3, 6, 7, 4, 5, 9, 8]);
    expect(new Set(component).size).toBe(4);
  });

  test.each([...SINGLES, ...PAIRS])("keeps weights valid: %s %s", (...passes) => {
    const used = passes.filter((pass) => pass);
    const has = (name: string) => used.includes(name);
    for (const seed of [1, 2, 3]) {
      const weights = finish(used, seed);
      expect(weights.influences).toBe(has("limit") ? 2 : 4);
      expect(weights).toBeSkinWeights(V, J);
      if (has("lock")) expectLocked(weights, (j) => j === joint("arm.L"));
      if (has("keep")) expectLocked(weights, () => true);
      if (has("mirror")) expectMirrored(weights);
      if (has("rigid")) expectRigid(weights);
      const moves = new Set(weights.joints.filter((_, i) => weights.weights[i] > 0));
      const helpers = ["head_end", "footIK.L", "footIK.R"].map(joint);
      expect(helpers.some((helper) => moves.has(helper))).toBe(has("all"));
      if (has("exclude") && !has("keep")) expect(moves.has(joint("hand.L"))).toBe(false);
      if (has("prune") && used.length === 1) {
        for (let start = 0; start < weights.weights.length; start += 4) {
          const row = weights.weights.subarray(start, start + 4).filter((weight) => weight > 0);
          expect(Math.min(...row)).toBeGreaterThanOrEqual(row[0] * 0.3 - 1e-6);
        }
      }
    }
  });

  test("keeps weights valid with all passes at once", () => {
    const weights = finish(
      NAMES.filter((name) => name !== "keep"),
      7,
    );
    expect(weights).toBeSkinWeights(V, J);
    expectLocked(weights, (j) => j === joint("arm.L"));
    expectMirrored(weights);
  });

  test("copies one side to the other by option", () => {
    const noisy = noisyWeights(V, J, 4);
    const options = { maxInfluences: J, prune: 0, allJoints: true };
    const plain = finishWeights(noisy, character, options).weights;
    for (const [mirror, sign] of [
      ["x+", 1],
      ["x-", -1],
    ] as const) {
      const { weights } = finishWeights(noisy, character, { ...options, mirror });
      expectMirrored(weights);
      for (let vertex = 0; vertex < V; vertex++) {
        if (mesh.positions[vertex * 3] * sign <= 0) continue;
        const [row, before] = [readRow(weights, vertex), readRow(plain, vertex)];
        for (let j = 0; j < J; j++) expect(weightIn(row, j)).toBeCloseTo(weightIn(before, j), 5);
      }
    }
  });

  test("uses a helper that the file's own weights use", () => {
    const weights = { ...artist, joints: artist.joints.slice() };
    weights.joints[0] = joint("head_end");
    const used = finishWeights(
      noisyWeights(V, J, 5),
      { ...character, weights },
      {
        maxInfluences: J,
        prune: 0,
      },
    ).weights;
    expect(used.joints.includes(joint("head_end"))).toBe(true);
    expect(used.joints.includes(joint("footIK.L"))).toBe(false);
  });

  test("reports a character without another side", () => {
    const options = { maxInfluences: 4, prune: 0, mirror: "y" as const };
    const { weights, warnings } = finishWeights(noisyWeights(V, J, 8), character, options);
    expect(weights).toBeSkinWeights(V, J);
    expect(warnings).toContainEqual(expect.stringMatching(/^Only \d+ of 132 vertices .* across y/));
  });

  test("reports locked weights that do not fit", () => {
    const options = { maxInfluences: 1, prune: 0, keepExisting: true };
    const { weights, warnings } = finishWeights(noisyWeights(V, J, 6), character, options);
    expect(weights).toBeSkinWeights(V, J);
    expect(warnings).toEqual([expect.stringMatching(/^120 vertices have more locked weights/)]);
  });

  test.each<[Partial<FinishOptions>, RegExp]>([
    [{ lock: ["tail"] }, /no joint "tail" to lock/],
    [{ exclude: ["*"] }, /All joints are excluded/],
    [{ lock: ["head"], exclude: ["HEAD"] }, /"head" is both locked and excluded/],
  ])("refuses %j", (options, says) => {
    const run = () =>
      finishWeights(noisyWeights(V, J, 1), character, { maxInfluences: 4, prune: 0, ...options });
    expect(run).toThrow(says);
  });

  test("keeps nothing in a character without weights", () => {
    const { weights: _, ...bare } = character;
    const options = { maxInfluences: 4, prune: 0, keepExisting: true };
    expect(() => finishWeights(noisyWeights(V, J, 1), bare, options)).toThrow(/no weights to keep/);
  });

  test("a helper that is heaviest in five vertices is kept and reported if the method knows helpers", () => {
    const names = skeleton.names.map((name) => (name === "hand.L" ? "hand.L_end" : name));
    const helper = joint("hand.L");
    const { weights: _, ...bare } = { ...character, skeleton: { ...skeleton, names } };
    const led = (count: number): SkinWeights => ({
      influences: 1,
      joints: Uint16Array.from({ length: V }, (_, vertex) => (vertex < count ? helper : 0)),
      weights: new Float32Array(V).fill(1),
    });
    const finish = (count: number, knowsHelpers: boolean, options: FinishOptions = {}) => {
      const { weights, warnings } = finishWeights(led(count), bare, options, { knowsHelpers });
      const isKept = weights.joints[0] === helper;
      return { isKept, warnings };
    };
    expect(finish(5, false)).toEqual({ isKept: false, warnings: [] });
    expect(finish(4, true)).toEqual({ isKept: false, warnings: [] });
    expect(finish(5, true)).toEqual({
      isKept: true,
      warnings: [expect.stringMatching(/^The joint hand\.L_end is named like a helper/)],
    });
    expect(finish(5, true, { exclude: ["hand.L_end"] }).isKept).toBe(false);
    expect(finish(5, true, { allJoints: true })).toEqual({ isKept: true, warnings: [] });
  });
});
