import { describe, expect, test } from "vitest";
import type { Character, PreparedCharacter } from "../character/character.ts";
import {
  type EvaluatedMethod,
  evaluateCharacter,
  failedCharacter,
  TOP_K,
} from "./evaluate-character.ts";

/** An upright box of two levels, the lower on joint 0 and the upper on joint 1; one vertex doubled. */
function tower(): Character {
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const rings = [0, 2, 4].map((y) => corners.map(([x, z]) => [x, y, z]));
  const triangles: number[] = [];
  for (let ring = 0; ring < 2; ring++) {
    for (let side = 0; side < 4; side++) {
      const [a, b] = [ring * 4 + side, ring * 4 + ((side + 1) % 4)];
      triangles.push(a, b, b + 4, a, b + 4, a + 4);
    }
  }
  const positions = Float32Array.from([...rings.flat(2), 0, 0, 0]);
  triangles.push(12, 1, 2);
  const joints = Uint16Array.from({ length: 13 }, (_, v) => (v >= 8 && v < 12 ? 1 : 0));
  return {
    name: "tower",
    mesh: { positions, triangles: Uint32Array.from(triangles) },
    skeleton: {
      names: ["low", "high"],
      parents: Int32Array.of(-1, 0),
      positions: Float32Array.of(0.5, 0.5, 0.5, 0.5, 2.5, 0.5),
    },
    weights: { influences: 1, joints, weights: new Float32Array(13).fill(1) },
  };
}

const artist: EvaluatedMethod = {
  name: "artist",
  solve: (prepared: PreparedCharacter) => ({ weights: prepared.character.weights! }),
};
const broken: EvaluatedMethod = {
  name: "broken",
  solve: () => {
    throw new Error("out of luck");
  },
};

describe("evaluateCharacter", () => {
  test("welds, and scores the artist's own weights 1, 1, 0, 0", async () => {
    const row = await evaluateCharacter(tower(), [artist]);
    expect(row).toMatchObject({ id: "tower", vertices: 12, joints: 2 });
    expect(row.results.artist.score).toMatchObject({
      precision: 1,
      recall: 1,
      l1: 0,
      l1Raw: 0,
      distance: 0,
      maxDistance: 0,
      bleed: 0,
      unweighted: 0,
    });
    expect(row.results.artist.seconds).toBeGreaterThanOrEqual(0);
    expect(row.topK).toBeUndefined();
  });

  test("turns a method that throws into a result, and continues with the next", async () => {
    const row = await evaluateCharacter(tower(), [broken, { ...artist, timed: false }]);
    expect(row.results.broken).toMatchObject({ error: "out of luck" });
    expect(row.results.artist.score!.l1).toBe(0);
    expect(row.results.artist.seconds).toBeNaN();
  });

  test("reports for every method why a character cannot be scored", async () => {
    const { weights: _, ...unpainted } = tower();
    const bad = tower();
    bad.mesh.positions[5] = Number.NaN;
    const solver: EvaluatedMethod = { name: "rigid", solve: () => ({ weights: tower().weights! }) };
    expect((await evaluateCharacter(unpainted, [solver])).results.rigid.error).toContain(
      "no weights to score against",
    );
    const row = await evaluateCharacter(bad, [artist, broken]);
    expect(row.results.artist.error).toContain("not a number");
    expect(row.results.broken.error).toContain("not a number");
    expect(failedCharacter("x", ["a"], new Error("gone"))).toEqual({
      id: "x",
      vertices: 0,
      joints: 0,
      results: { a: { error: "gone", seconds: 0 } },
    });
  });

  test("adds curves, traits and diagnoses on request, and passes the weights on", async () => {
    const seen: string[] = [];
    const row = await evaluateCharacter(tower(), [artist], {
      details: true,
      onWeights: (method, prepared) => seen.push(`${method} ${prepared.character.name}`),
    });
    expect(seen).toEqual(["artist tower"]);
    expect(Object.keys(row.topK!).sort()).toEqual(["euclid", "hollow", "volumetric"]);
    expect(row.topK!.hollow.weight).toHaveLength(TOP_K.length);
    // There are two joints, so the two nearest hold everything.
    expect(row.topK!.hollow.weight[1]).toBe(1);
    expect(row.topK!.hollow.oracle[1]).toBe(0);
    expect(row.traits!.loose).toBe(0);
    expect(row.results.artist.diagnosis).toMatchObject({ far: 0, moved: 0 });
  });
});
