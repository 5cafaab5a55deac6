import { describe, expect, test } from "vitest";
import type { Character } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { diagnose, diagnosisSentence } from "./diagnose.ts";
import { traitsOf } from "./evaluate-character.ts";

/** One joint per vertex. */
function rigid(...joints: number[]): SkinWeights {
  const weights = new Float32Array(joints.length).fill(1);
  return { influences: 1, joints: Uint16Array.from(joints), weights };
}

/** Two loose triangles: the first on joint 0, the second on joint 1; joint 2 has no weight. */
const character: Character = {
  name: "pair",
  mesh: {
    positions: Float32Array.from({ length: 18 }, (_, i) => i),
    triangles: Uint32Array.of(0, 1, 2, 3, 4, 5),
  },
  skeleton: {
    names: ["body", "ball", "target"],
    parents: Int32Array.of(-1, 0, 0),
    positions: new Float32Array(9),
  },
  weights: rigid(0, 0, 0, 1, 1, 1),
};
const distances: BoneDistances = {
  k: 3,
  bones: Int32Array.from({ length: 18 }, (_, i) => (i < 9 ? [0, 1, 2] : [1, 0, 2])[i % 3]),
  distances: Float32Array.from({ length: 18 }, (_, i) => [0.01, 0.02, 0.9][i % 3]),
};

describe("diagnose", () => {
  test("finds nothing in the artist's own weights", () => {
    const found = diagnose(character, character.weights!, distances);
    expect(found).toMatchObject({ far: 0, idle: 0, torn: 0, moved: 0, unweighted: 0 });
    expect(diagnosisSentence(found)).toBe("Many small differences, no single cause.");
  });

  test("reports idle joints, distant weight and the flow of weight", () => {
    const found = diagnose(character, rigid(0, 2, 2, 1, 1, 1), distances);
    expect(found.idle).toBeCloseTo(1 / 3, 6);
    expect(found.far).toBeCloseTo(1 / 3, 6);
    expect(found).toMatchObject({ idleJoint: "target", movedFrom: "body", movedTo: "target" });
    expect(found.moved).toBeCloseTo(1 / 3, 6);
  });

  test("reports a torn loose part, but not one that moves rigidly", () => {
    expect(diagnose(character, rigid(0, 0, 0, 1, 1, 0), distances).torn).toBe(0.5);
    expect(diagnose(character, rigid(0, 0, 0, 0, 0, 0), distances).torn).toBe(0);
  });

  test("reports missing weight", () => {
    const half = { ...rigid(0, 0, 0, 1, 1, 1), weights: Float32Array.of(1, 1, 1, 0, 0, 0) };
    const found = diagnose(character, half, distances);
    expect(found.unweighted).toBeCloseTo(0.5, 6);
    expect(diagnosisSentence(found)).toBe("50 % of the weight is missing.");
  });
});

describe("traitsOf", () => {
  test("measures weight on joints outside the body and vertices in loose parts", () => {
    // Three cells in a row, the last of them outside; joints at their centers.
    const grid = { nx: 3, ny: 1, nz: 1, origin: [0, 0, 0] as [number, number, number], size: 1 };
    const skeleton = {
      ...character.skeleton,
      positions: Float32Array.of(0.5, 0.5, 0.5, 2.5, 0.5, 0.5, 9, 0, 0),
    };
    const traits = traitsOf(
      { ...character, skeleton },
      { ...grid, cells: new Uint8Array(3) },
      Uint8Array.of(0, 0, 1),
    );
    expect(traits).toEqual({ outOfBody: 0.5, loose: 0.5 });
  });
});
