import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { noisyWeights, symmetricCharacter } from "../../test/helpers/symmetric-character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { findSymmetry } from "../character/symmetry.ts";
import { meanL1 } from "../evaluate/metrics.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { CONTROL, END_MARKER } from "../skeleton/helper-joints.ts";
import { rigidIslands } from "../weights/rigid-islands.ts";
import {
  readRow,
  type SkinWeights,
  weightIn,
  weightsFromDense,
  weightsFromSlots,
} from "../weights/skin-weights.ts";
import { smoothWeights } from "../weights/smooth-weights.ts";
import { adaptInfluences, excludeJoints } from "../weights/trim-weights.ts";
import { mirrorWeights } from "./mirror-weights.ts";

const cape = symmetricCharacter();
const V = cape.mesh.positions.length / 3;
const J = cape.skeleton.parents.length;

function toTable(weights: SkinWeights, joints: number): number[][] {
  return Array.from({ length: weights.weights.length / weights.influences }, (_, vertex) => {
    const row = readRow(weights, vertex);
    return Array.from({ length: joints }, (_, joint) => weightIn(row, joint));
  });
}

describe("smoothWeights", () => {
  test("equals smoothing a full table of weights", () => {
    const weights = noisyWeights(V, J, 11);
    const { starts, items } = vertexNeighbors(cape.mesh.triangles, V);
    let table = toTable(weights, J);
    for (let step = 0; step < 4; step++) {
      table = table.map((row, v) => {
        const ring = [...items.subarray(starts[v], starts[v + 1])];
        return row.map(
          (own, j) => own / 2 + ring.reduce((sum, n) => sum + table[n][j], 0) / ring.length / 2,
        );
      });
    }
    const smooth = smoothWeights(weights, cape.mesh, 4);
    expect(smooth).toBeSkinWeights(V, J);
    expect(toTable(smooth, J).flat()).toBeAllClose(table.flat(), 1e-5);
  });

  test("changes nothing in zero steps, at isolated vertices and for equal rows", () => {
    const weights = noisyWeights(V, J, 12);
    expect(smoothWeights(weights, cape.mesh, 0)).toBe(weights);
    const loose = { positions: cape.mesh.positions, triangles: new Uint32Array(0) };
    expect(toTable(smoothWeights(weights, loose, 5), J).flat()).toBeAllClose(
      toTable(weights, J).flat(),
      1e-6,
    );
    const alike = weightsFromDense(new Float32Array(V * J).fill(1), J);
    expect(toTable(smoothWeights(alike, cape.mesh, 5), J).flat()).toBeAllClose(
      toTable(alike, J).flat(),
      1e-6,
    );
  });

  test("refuses fractional steps", () => {
    expect(() => smoothWeights(noisyWeights(V, J, 1), cape.mesh, 0.5)).toThrow(/got 0.5/);
  });
});

describe("adaptInfluences", () => {
  test("subtracts a fraction of the largest from each", () => {
    const weights = weightsFromSlots([0, 1, 2, 0, 1, 2], [0.8, 0.15, 0.05, 0.4, 0.35, 0.25], 3);
    const adapted = adaptInfluences(weights, 0.1);
    // 0.72, 0.07, nothing; 0.36, 0.31, 0.21
    expect(adapted.weights).toBeAllClose(
      [0.72 / 0.79, 0.07 / 0.79, 0, 0.36 / 0.88, 0.31 / 0.88, 0.21 / 0.88],
      1e-6,
    );
  });

  test("removes a weight without a jump", () => {
    const left = [0.0801, 0.08, 0.0799].map((value) => {
      const { weights } = adaptInfluences(weightsFromSlots([0, 1], [0.8, value], 2), 0.1);
      return weights[1];
    });
    expect(left[0]).toBeGreaterThan(0);
    expect(left[0]).toBeLessThan(2e-4);
    expect(left[2]).toBe(0);
  });

  test("keeps weights valid and never adds a joint", () => {
    const weights = noisyWeights(V, J, 13);
    for (const share of [0, 0.06, 0.5, 0.99]) {
      const adapted = adaptInfluences(weights, share);
      expect(adapted).toBeSkinWeights(V, J);
      toTable(adapted, J).forEach((row, v) => {
        const before = readRow(weights, v);
        row.forEach((value, j) => {
          expect(value > 0 && weightIn(before, j) === 0).toBe(false);
        });
      });
    }
    expect(() => adaptInfluences(weights, 1)).toThrow(/got 1/);
  });
});

describe("excludeJoints", () => {
  const { skeleton } = cape;
  const at = (name: string) => skeleton.names.indexOf(name);

  test("moves weight to the nearest kept ancestor", () => {
    const excluded = new Uint8Array(J);
    for (const name of ["arm.L", "hand.L"]) excluded[at(name)] = 1;
    excluded[at("head_end")] = END_MARKER;
    const weights = weightsFromSlots(
      [at("hand.L"), at("spine"), at("head_end"), at("hand.R")],
      [0.7, 0.3, 0.6, 0.4],
      2,
    );
    const [first, second] = [0, 1].map((v) =>
      readRow(excludeJoints(weights, skeleton, excluded), v),
    );
    expect(first.joints).toEqual([at("spine")]);
    expect(weightIn(second, at("head"))).toBeCloseTo(0.6, 6);
    expect(weightIn(second, at("hand.R"))).toBeCloseTo(0.4, 6);
  });

  test("moves the weight of controls to other influences, and to the root only without any", () => {
    const excluded = new Uint8Array(J);
    excluded[at("footIK.L")] = CONTROL;
    const weights = weightsFromSlots(
      [at("footIK.L"), at("arm.L"), at("footIK.L"), 0],
      [0.8, 0.2, 1, 0],
      2,
    );
    const out = excludeJoints(weights, skeleton, excluded);
    expect(readRow(out, 0)).toEqual({ joints: [at("arm.L")], values: [1] });
    expect(readRow(out, 1)).toEqual({ joints: [at("root")], values: [1] });
  });
});

describe("rigidIslands", () => {
  test("finds the joint of each part of a robot under noise", () => {
    const { character } = prepareCharacter(makeSample("robot"));
    const joints = character.skeleton.parents.length;
    const known = toTable(character.weights!, joints);
    const noise = toTable(noisyWeights(known.length, joints, 14), joints);
    const table = known.map((row, v) => row.map((value, j) => value * 0.7 + noise[v][j] * 0.3));
    const noisy = weightsFromDense(Float32Array.from(table.flat()), joints);
    const rigid = rigidIslands(noisy, character.mesh);
    expect(rigid).toBeSkinWeights(known.length, joints);
    expect(toTable(rigid, joints).flat()).toEqual(known.flat());
  });

  test("a part whose vertices agree on a joint follows it, a body that has a jaw does not", () => {
    // A strip of 21 vertices with a jaw at its end, a triangle that agrees, and one that does not.
    const mesh = {
      positions: Float32Array.from({ length: 27 * 3 }, (_, i) => Math.sin(i * 7)),
      triangles: Uint32Array.from([
        ...Array.from({ length: 19 }, (_, i) => [i, i + 1, i + 2]).flat(),
        21,
        22,
        23,
        24,
        25,
        26,
      ]),
    };
    const row = (v: number): number[] => {
      if (v < 21) return v < 19 ? [0.95, 0.05] : [0.1, 0.9];
      return v === 24 ? [0.55, 0.45] : [0.45, 0.55];
    };
    const rows = Array.from({ length: 27 }, (_, v) => row(v));
    const weights = weightsFromDense(Float32Array.from(rows.flat()), 2);
    const rigid = rigidIslands(weights, mesh, { oneJoint: 0.65, agreed: 0.9, small: 0 });
    const table = toTable(rigid, 2);
    for (const v of [0, 20, 24, 25, 26]) expect(table[v]).toEqual(toTable(weights, 2)[v]);
    for (const v of [21, 22, 23]) expect(table[v]).toEqual([0, 1]);
  });

  test("does not change a body that bends", () => {
    const { character } = prepareCharacter(makeSample("fish"));
    const weights = character.weights!;
    const rigid = rigidIslands(weights, character.mesh);
    const joints = character.skeleton.parents.length;
    expect(toTable(rigid, joints)).toEqual(toTable(weights, joints));
  });
});

describe("mirrorWeights", () => {
  test("makes a sculpted character symmetric, although its vertices are not", () => {
    const { character } = prepareCharacter(makeSample("dancer"));
    const { mesh, skeleton } = character;
    const joints = skeleton.parents.length;
    const symmetry = findSymmetry(character, 0);
    expect(symmetry.partners.some((partner) => partner < 0)).toBe(true);
    const table = toTable(character.weights!, joints);
    // Only the right side was painted.
    const spine = skeleton.names.indexOf("spine");
    table.forEach((row) => {
      skeleton.names.forEach((name, joint) => {
        if (!name.endsWith(".L")) return;
        row[spine] += row[joint];
        row[joint] = 0;
      });
    });
    const spoilt = weightsFromDense(Float32Array.from(table.flat()), joints);
    const options = { maxInfluences: 8, prune: 0, source: "low" as const };
    const mirrored = mirrorWeights(spoilt, skeleton, symmetry, mesh, options);
    expect(mirrored).toBeSkinWeights(table.length, joints);
    const [before, after] = [spoilt, mirrored].map((w) => meanL1(w, character.weights!));
    expect(before).toBeGreaterThan(0.5);
    // The remaining differences are along the middle, where both sides contribute.
    expect(after).toBeLessThan(0.03);
  });

  test("keeps the weight of a joint without a twin in place", () => {
    const skeleton = {
      names: [...cape.skeleton.names, "sword"],
      parents: Int32Array.from([...cape.skeleton.parents, 7]),
      positions: Float32Array.from([...cape.skeleton.positions, -0.8, 0.5, 0.4]),
    };
    const { character } = prepareCharacter({ name: "armed", mesh: cape.mesh, skeleton });
    const symmetry = findSymmetry(character, 0);
    expect(symmetry.twins[J]).toBe(-1);
    const vertex = 3;
    const partner = symmetry.partners[vertex];
    const rows = Float32Array.from({ length: V * (J + 1) }, (_, i) =>
      i % (J + 1) === (Math.floor(i / (J + 1)) === vertex ? J : 1) ? 1 : 0,
    );
    const mirrored = mirrorWeights(
      weightsFromDense(rows, J + 1),
      skeleton,
      symmetry,
      character.mesh,
      { maxInfluences: 4, prune: 0 },
    );
    expect(readRow(mirrored, vertex)).toEqual({ joints: [J], values: [1] });
    const seen = readRow(mirrored, partner);
    expect(weightIn(seen, J)).toBe(0);
    expect(weightIn(seen, skeleton.names.indexOf("hand.L"))).toBeCloseTo(0.5, 6);
  });
});
