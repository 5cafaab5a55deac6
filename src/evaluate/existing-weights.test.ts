import { describe, expect, test } from "vitest";
import type { PreparedCharacter } from "../character/character.ts";
import { existingWeights } from "./existing-weights.ts";

function prepared(
  positions: number[],
  joints: [name: string, x: number, y: number, z: number][],
  rows: [number, number][][],
): PreparedCharacter {
  const influences = Math.max(...rows.map((row) => row.length));
  const weights = {
    influences,
    joints: new Uint16Array(rows.length * influences),
    weights: new Float32Array(rows.length * influences),
  };
  rows.forEach((row, v) => {
    row.forEach(([joint, weight], slot) => {
      weights.joints[v * influences + slot] = joint;
      weights.weights[v * influences + slot] = weight;
    });
  });
  const skeleton = {
    names: joints.map(([name]) => name),
    parents: Int32Array.from(joints, (_, j) => j - 1),
    positions: Float32Array.from(joints.flatMap(([, ...place]) => place)),
  };
  const mesh = { positions: Float32Array.from(positions), triangles: new Uint32Array(0) };
  const character = { name: "c", mesh, skeleton, weights };
  return { character, welded: new Int32Array(0), scale: 1, offset: [0, 0, 0] };
}

const ours = prepared(
  [0, 0, 0, 0.5, 0, 0, 1, 0, 0],
  [
    ["hip", 0, 0, 0],
    ["knee", 0.5, 0, 0],
    ["foot", 1, 0, 0],
  ],
  [[[0, 1]], [[1, 1]], [[2, 1]]],
);

describe("existingWeights", () => {
  test("matches vertices by position and joints by name, then by position", () => {
    // Another order of vertices and joints, one joint renamed, one vertex off by rounding.
    const theirs = prepared(
      [1, 0.0001, 0, 0, 0, 0, 0.5, 0, 0],
      [
        ["foot", 0.2, 0, 0],
        ["hip.001", 0.0002, 0, 0],
        ["knee", 0.5, 0, 0],
      ],
      [
        [
          [0, 0.75],
          [1, 0.25],
        ],
        [[1, 1]],
        [[2, 1]],
      ],
    );
    const { influences, joints, weights } = existingWeights(ours, theirs);
    expect(influences).toBe(2);
    expect([...joints]).toEqual([0, 0, 1, 0, 2, 0]);
    expect([...weights]).toEqual([1, 0, 1, 0, 0.75, 0.25]);
  });

  test("leaves vertices without match, and weight on unknown joints, without weight", () => {
    const theirs = prepared(
      [0, 0, 0, 0.5, 0, 0, 1, 0.01, 0],
      [
        ["hip", 0, 0, 0],
        ["neutral_bone", 9, 9, 9],
      ],
      [[[0, 1]], [[1, 1]], [[0, 1]]],
    );
    expect([...existingWeights(ours, theirs).weights]).toEqual([1, 0, 0]);
  });

  test("returns no weights if the other file has none", () => {
    const { weights: _, ...bare } = ours.character;
    const result = existingWeights(ours, { ...ours, character: bare });
    expect([...result.weights]).toEqual([0, 0, 0]);
  });
});
