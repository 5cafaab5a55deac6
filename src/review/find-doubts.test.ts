import { describe, expect, test } from "vitest";
import { box } from "../../test/helpers/box.ts";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import type { Character } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { measureDistancesSync } from "../distance/measure.ts";
import { skin } from "../skin.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { findDoubts, VERTEX_DOUBTS, type VertexDoubt } from "./doubts.ts";

/** Axis-aligned boxes with separate vertices. */
const boxes = (...corners: [number[], number[]][]) =>
  joinMeshes(...corners.map(([low, high]) => box(low, high)));

/** A tall box with a chain of three joints and one joint next to it, and a small floating box. */
function character(): Character {
  return {
    name: "boxes",
    mesh: boxes(
      [
        [-0.1, 0, -0.1],
        [0.1, 1, 0.1],
      ],
      [
        [0.3, 0.9, 0],
        [0.35, 0.95, 0.05],
      ],
    ),
    skeleton: {
      names: ["hip", "chest", "head", "aside"],
      parents: Int32Array.of(-1, 0, 1, 0),
      positions: Float32Array.of(0, 0.1, 0, 0, 0.5, 0, 0, 0.8, 0, 0.6, 0.5, 0),
    },
  };
}

function weightsOf(rows: [number, number][][], influences: number): SkinWeights {
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(rows.length * influences),
    weights: new Float32Array(rows.length * influences),
  };
  rows.forEach((row, v) => {
    row.forEach(([joint, weight], i) => {
      out.joints[v * influences + i] = joint;
      out.weights[v * influences + i] = weight;
    });
  });
  return out;
}

function doubtsOf(
  row: [number, number][],
  options: { limit?: number; measured?: boolean; excluded?: number[] } = {},
) {
  const { limit = 4, measured = false, excluded = [] } = options;
  const prepared = prepareCharacter(character());
  const solved = weightsOf(
    Array.from({ length: 16 }, () => row),
    6,
  );
  const finished = weightsOf(
    Array.from({ length: 16 }, () => row.slice(0, limit)),
    limit,
  );
  return findDoubts({
    prepared,
    solved,
    unlimited: solved,
    finished,
    maxInfluences: limit,
    prune: 0,
    excluded: Uint8Array.from({ length: 4 }, (_, joint) => (excluded.includes(joint) ? 1 : 0)),
    measured: measured ? measureDistancesSync(prepared.character) : undefined,
  });
}

const has = (bits: number, reason: VertexDoubt) =>
  ((bits >> VERTEX_DOUBTS.indexOf(reason)) & 1) === 1;

describe("findDoubts", () => {
  test("reports equal weights as a tie unless the joints are parent and child", () => {
    const tie = (row: [number, number][]) => has(doubtsOf(row).vertices[0], "tie");
    expect(
      tie([
        [0, 0.5],
        [2, 0.5],
      ]),
    ).toBe(true);
    expect(
      tie([
        [0, 0.5],
        [1, 0.5],
      ]),
    ).toBe(false);
    expect(
      tie([
        [2, 0.5],
        [1, 0.5],
      ]),
    ).toBe(false);
    expect(
      tie([
        [0, 0.6],
        [2, 0.4],
      ]),
    ).toBe(false);
    expect(tie([[0, 1]])).toBe(false);
  });

  test("reports the weight that the limit removes, for vertices and bones", () => {
    const row: [number, number][] = [
      [0, 0.5],
      [1, 0.3],
      [2, 0.2],
    ];
    expect(has(doubtsOf(row, { limit: 2 }).vertices[0], "clipped")).toBe(true);
    expect(doubtsOf(row, { limit: 2 }).bones).toContainEqual({ joint: 2, reason: "clipped" });
    expect(has(doubtsOf(row, { limit: 3 }).vertices[0], "clipped")).toBe(false);
    const crumb: [number, number][] = [
      [0, 0.6],
      [1, 0.35],
      [2, 0.05],
    ];
    expect(has(doubtsOf(crumb, { limit: 2 }).vertices[0], "clipped")).toBe(false);
  });

  test("finds the floating part, the bone outside, the idle bones", () => {
    const { vertices, bones, bleed } = doubtsOf([[0, 1]], { measured: true });
    const lost = [...vertices.keys()].filter((v) => has(vertices[v], "unreachable"));
    expect(lost).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(bones).toContainEqual({ joint: 3, reason: "far" });
    expect(bones.filter(({ reason }) => reason === "far")).toHaveLength(1);
    expect(bones.filter(({ reason }) => reason === "idle").map(({ joint }) => joint)).toEqual([
      1, 2, 3,
    ]);
    // The upper half of the body follows the hip.
    expect(bleed).toBeGreaterThan(0.2);
  });

  test("does not report excluded bones as idle", () => {
    const idle = (excluded: number[]) =>
      doubtsOf([[0, 1]], { excluded })
        .bones.filter(({ reason }) => reason === "idle")
        .map(({ joint }) => joint);
    expect(idle([])).toEqual([1, 2, 3]);
    expect(idle([2])).toEqual([1, 3]);
    expect(idle([1, 2, 3])).toEqual([]);
  });

  test("receives excluded bones and unlimited weights from skin", async () => {
    const idle = async (exclude: string[]) => {
      const { doubts } = await skin(character(), { method: "inverse-distance", exclude });
      return doubts.bones.filter(({ reason }) => reason === "idle").map(({ joint }) => joint);
    };
    expect(await idle(["head"])).toEqual(await idle([]));
    expect(await idle(["head"])).not.toContain(2);
    const clipped = async (adapt: number) => {
      const options = { method: "heat" as const, maxInfluences: 1, prune: 0, adapt };
      const { doubts } = await skin(character(), options);
      return doubts.vertices.reduce((count, bits) => count + (has(bits, "clipped") ? 1 : 0), 0);
    };
    // Weight that the adaptive pass removed is not removed by the limit.
    expect(await clipped(0)).toBeGreaterThan(0);
    expect(await clipped(0.99)).toBe(0);
  });

  test("finds vertices far from all bones, and bones at one position", () => {
    const prepared = prepareCharacter({
      ...character(),
      skeleton: {
        names: ["a", "b"],
        parents: Int32Array.of(-1, -1),
        positions: Float32Array.of(0, 0.05, 0, 0, 0.05, 0),
      },
    });
    const weights = weightsOf(
      Array.from({ length: 16 }, () => [[0, 1]]),
      1,
    );
    const { vertices, bones } = findDoubts({
      prepared,
      solved: weights,
      unlimited: weights,
      finished: weights,
      maxInfluences: 1,
      prune: 0,
      excluded: new Uint8Array(2),
      measured: measureDistancesSync(prepared.character, { tails: false }),
    });
    const far = [...vertices.keys()].filter((v) => has(vertices[v], "far"));
    expect(far).toEqual(expect.arrayContaining([2, 3, 6, 7]));
    expect(far).not.toContain(0);
    expect(bones.filter(({ reason }) => reason === "tie").map(({ joint }) => joint)).toEqual([
      0, 1,
    ]);
  });

  test("reports vertices that the method left empty, in every result of skin", async () => {
    const prepared = prepareCharacter(character());
    const solved = weightsOf(
      Array.from({ length: 16 }, (_, v) => (v === 5 ? [] : [[0, 1]])),
      1,
    );
    const { vertices } = findDoubts({
      prepared,
      solved,
      unlimited: solved,
      finished: solved,
      maxInfluences: 1,
      prune: 0,
      excluded: new Uint8Array(4),
    });
    expect([...vertices.keys()].filter((v) => has(vertices[v], "empty"))).toEqual([5]);
    for (const method of ["heat", "hollow", "geodesic-voxel"] as const) {
      const { doubts } = await skin(character(), { method });
      expect(doubts.vertices).toHaveLength(16);
      expect(doubts.bleed, method).toBeGreaterThanOrEqual(0);
      expect(doubts.bones).toContainEqual({ joint: 3, reason: "far" });
    }
  });
});
