import { describe, expect, test } from "vitest";
import type { Evaluation, MethodResult } from "./evaluate-character.ts";
import { compare, resultCsv, resultJson, summarize } from "./summary.ts";

function result(l1: number, unweighted = 0, seconds = 1): MethodResult {
  const score = { precision: 0.5, recall: 0.25, l1, l1Raw: l1 / 2, distance: l1 / 100 };
  const visible = {
    usedJoints: 10,
    deadJoints: 1,
    deadEnds: 0,
    touchingParts: 4,
    floatingParts: 1,
    edges: 100,
    tornEdges: 5,
    sidedVertices: 50,
    crossedVertices: 1,
  };
  return { score: { ...score, maxDistance: l1 / 10, bleed: 0.1, unweighted, visible }, seconds };
}

const evaluation: Evaluation = {
  preset: "paper",
  methods: ["heat", "euclid"],
  characters: [
    { id: "a", vertices: 10, joints: 2, results: { heat: result(0.2), euclid: result(0.6) } },
    { id: "b", vertices: 20, joints: 3, results: { heat: result(0.4, 0.06), euclid: result(0.4) } },
    {
      id: 'c, "odd"',
      vertices: 30,
      joints: 4,
      results: { heat: { error: "no luck", seconds: 0 }, euclid: result(0.8, 0.05, 3) },
    },
  ],
};

describe("summarize", () => {
  test("averages over scored characters and counts errors and unweighted characters as failed", () => {
    const [heat, euclid] = summarize(evaluation);
    expect(heat).toMatchObject({ scored: 2, failed: 2 });
    expect(heat.means.l1).toBeCloseTo(0.3, 12);
    expect(euclid).toMatchObject({ scored: 3, failed: 0, secondsMedian: 1, secondsP90: 2.6 });
    expect(euclid.means.distance).toBeCloseTo(0.006, 12);
    expect(heat.intervals.l1[0]).toBeCloseTo(0.2, 12);
    expect(heat.intervals.l1[1]).toBeCloseTo(0.4, 12);
  });

  test("compares two methods on the characters both were scored on", () => {
    const comparison = compare(evaluation.characters, "heat", "euclid", "l1");
    expect(comparison).toMatchObject({ characters: 2, smaller: 1 });
    expect(comparison.difference).toBeCloseTo(-0.2, 12);
    // Means 0.3 and 0.5 of two values each: between 0.04, within 0.02 + 0.02 over 2.
    expect(comparison.anova!.f).toBeCloseTo(0.04 / 0.02, 9);
  });
});

describe("resultJson", () => {
  const json = resultJson(evaluation);

  test("has the documented fields", () => {
    expect(json).toMatchObject({ preset: "paper", characters: 3 });
    expect(Object.keys(json.methods)).toEqual(["heat", "euclid"]);
    expect(Object.keys(json.methods.heat)).toEqual(
      expect.arrayContaining([
        "precision",
        "recall",
        "l1",
        "l1_ci95",
        "l1_raw",
        "distance",
        "max_distance",
        "bleed",
        "unweighted",
        "failed",
        "seconds_median",
        "seconds_p90",
      ]),
    );
    expect(json.per_character[0]).toMatchObject({
      id: "a",
      vertices: 10,
      joints: 2,
      heat: { precision: 0.5, recall: 0.25, l1: 0.2, distance: 0.002 },
    });
    expect(json.per_character[2].heat).toEqual({ error: "no luck" });
  });

  test("survives JSON, even if a method was never scored", () => {
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    const empty = resultJson({ ...evaluation, characters: [evaluation.characters[2]] });
    expect(empty.methods.heat.l1).toBeNull();
    expect(empty.methods.heat.l1_ci95).toEqual([null, null]);
    expect(JSON.parse(JSON.stringify(empty))).toEqual(empty);
  });
});

describe("resultCsv", () => {
  test("writes a line per character and method, with quotes if needed", () => {
    const lines = resultCsv(evaluation).trimEnd().split("\n");
    expect(lines[0]).toBe(
      "id,vertices,joints,method,precision,recall,l1,l1_raw,distance,max_distance,bleed,unweighted,used_joints,dead_joints,touching_parts,floating_parts,edges,torn_edges,sided_vertices,crossed_vertices,seconds,error",
    );
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe("a,10,2,heat,0.5,0.25,0.2,0.1,0.002,0.02,0.1,0,10,1,4,1,100,5,50,1,1,");
    expect(lines[5]).toBe('"c, ""odd""",30,4,heat,,,,,,,,,,,,,,,,,,no luck');
  });
});
