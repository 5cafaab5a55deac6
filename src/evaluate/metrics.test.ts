import { describe, expect, test } from "vitest";
import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { createRandom } from "../math/random.ts";
import { meanBleed, vertexBleed } from "../review/bleed.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { deformationError, poseError, scoringPoses } from "./deformation-error.ts";
import {
  findPreset,
  meanL1,
  oracleAtK,
  PRESET_NAMES,
  precisionRecall,
  thinWeights,
  vertexL1,
} from "./metrics.ts";
import { scoreWeights } from "./score-weights.ts";

/** Rows of [joint, weight] pairs, heaviest first. */
function rows(...vertices: [number, number][][]): SkinWeights {
  const influences = Math.max(1, ...vertices.map((row) => row.length));
  const joints = new Uint16Array(vertices.length * influences);
  const weights = new Float32Array(vertices.length * influences);
  vertices.forEach((row, v) => {
    row.forEach(([joint, weight], slot) => {
      joints[v * influences + slot] = joint;
      weights[v * influences + slot] = weight;
    });
  });
  return { influences, joints, weights };
}

/** A cloud of V vertices about a chain of J joints, each vertex with up to three random influences. */
function randomCharacter(seed: number, V = 40, J = 6): PreparedCharacter {
  const random = createRandom(seed);
  const skeleton: Skeleton = {
    names: Array.from({ length: J }, (_, j) => `joint${j}`),
    parents: Int32Array.from({ length: J }, (_, j) => (j === 0 ? -1 : Math.floor(random() * j))),
    positions: Float32Array.from({ length: J * 3 }, () => random()),
  };
  return {
    character: {
      name: `random-${seed}`,
      mesh: {
        positions: Float32Array.from({ length: V * 3 }, () => random()),
        triangles: new Uint32Array(0),
      },
      skeleton,
      weights: randomWeights(seed + 1, V, J),
    },
    welded: Int32Array.from({ length: V }, (_, v) => v),
    scale: 1,
    offset: [0, 0, 0],
  };
}

function randomWeights(seed: number, V: number, J: number): SkinWeights {
  const random = createRandom(seed);
  return rows(
    ...Array.from({ length: V }, () => {
      const joints = Array.from({ length: J }, (_, j) => j).sort(() => random() - 0.5);
      const shares = [random(), random(), random()].sort((a, b) => b - a);
      const sum = shares[0] + shares[1] + shares[2];
      return shares.map((share, i): [number, number] => [joints[i], share / sum]);
    }),
  );
}

function permute(prepared: PreparedCharacter, place: number[]): PreparedCharacter {
  const { skeleton, weights } = prepared.character;
  const moved: Skeleton = {
    names: [],
    parents: new Int32Array(place.length),
    positions: new Float32Array(place.length * 3),
  };
  place.forEach((to, from) => {
    moved.names[to] = skeleton.names[from];
    moved.parents[to] = skeleton.parents[from] < 0 ? -1 : place[skeleton.parents[from]];
    moved.positions.set(skeleton.positions.subarray(from * 3, from * 3 + 3), to * 3);
  });
  const character = {
    ...prepared.character,
    skeleton: moved,
    weights: permuteWeights(weights!, place),
  };
  return { ...prepared, character };
}

function permuteWeights(weights: SkinWeights, place: number[]): SkinWeights {
  const joints = weights.joints.map((joint, i) => (weights.weights[i] > 0 ? place[joint] : 0));
  return { ...weights, joints };
}

describe("thinWeights", () => {
  test("drops, prunes and renormalizes by each preset", () => {
    // 0.62, 0.2, 0.1, 0.0795, 0.0005: prune limits 0.155 / 0.217 / 0.093 of the largest.
    const soft = rows([
      [1, 0.62],
      [2, 0.2],
      [3, 0.1],
      [4, 0.0795],
      [5, 0.0005],
    ]);
    const kept = (name: string) => [...thinWeights(soft, findPreset(name)).weights];
    expect(kept("paper")).toEqual(
      [0.62 / 0.82, 0.2 / 0.82, 0, 0, 0].map((w) => expect.closeTo(w, 6)),
    );
    expect(kept("rignet")).toEqual([1, 0, 0, 0, 0]);
    expect(kept("puppeteer")).toEqual(
      [0.62 / 0.92, 0.2 / 0.92, 0.1 / 0.92, 0, 0].map((w) => expect.closeTo(w, 6)),
    );
    expect(kept("anymate")).toEqual([...soft.weights].map((w) => expect.closeTo(w, 6)));
  });

  test("drops entries under puppeteer's floor even if the row's largest is small", () => {
    const flat = rows([
      [0, 0.9],
      [1, 0.0009],
    ]);
    const loose = { ...findPreset("puppeteer"), prune: 0 };
    expect([...thinWeights(flat, loose).weights]).toEqual([1, 0]);
    expect(thinWeights(flat, { ...loose, floor: 0 }).weights[1]).toBeGreaterThan(0);
  });

  test("keeps a row without weight empty and does not modify its input", () => {
    const empty = rows([[0, 0]], [[3, 1]]);
    for (const name of PRESET_NAMES) {
      expect([...thinWeights(empty, findPreset(name)).weights]).toEqual([0, 1]);
    }
    expect([...empty.weights]).toEqual([0, 1]);
  });

  test("names the choices when the preset is unknown", () => {
    expect(() => findPreset("toString")).toThrow(
      'Unknown preset "toString"; choose one of paper, rignet, puppeteer, anymate.',
    );
  });
});

describe("precisionRecall", () => {
  const predicted = rows(
    [
      [0, 0.7],
      [1, 0.3],
    ],
    [[2, 1]],
    [
      [3, 0.98],
      [4, 0.02],
    ],
  );
  const artist = rows(
    [[0, 1]],
    [
      [2, 0.5],
      [3, 0.3],
      [4, 0.2],
    ],
    [
      [3, 0.97],
      [0, 0.03],
    ],
  );

  test("counts all entries of the character", () => {
    // Predicted 2 + 1 + 2, artist 1 + 3 + 2, right 1 + 1 + 1.
    expect(precisionRecall(predicted, artist, findPreset("paper"))).toEqual({
      precision: 3 / 5,
      recall: 3 / 6,
    });
  });

  test("counts each vertex and averages, above 0.05, for anymate", () => {
    // Precision 1/2, 1/1, 1/1; recall 1/1, 1/3, 1/1.
    const score = precisionRecall(predicted, artist, findPreset("anymate"));
    expect(score.precision).toBeCloseTo(2.5 / 3, 12);
    expect(score.recall).toBeCloseTo((1 + 1 / 3 + 1) / 3, 12);
  });

  test("counts a weight of 5e-5 as an influence for rignet but not for the paper", () => {
    const faint = rows([
      [0, 0.99995],
      [1, 0.00005],
    ]);
    const sure = rows([[0, 1]]);
    expect(precisionRecall(faint, sure, findPreset("paper")).precision).toBe(1);
    expect(precisionRecall(faint, sure, findPreset("rignet")).precision).toBe(0.5);
    expect(precisionRecall(sure, faint, findPreset("paper")).recall).toBe(1);
    expect(precisionRecall(sure, faint, findPreset("rignet")).recall).toBe(0.5);
  });

  test("is 0, not NaN, if nothing is predicted", () => {
    expect(precisionRecall(rows([]), rows([[0, 1]]), findPreset("rignet"))).toEqual({
      precision: 0,
      recall: 0,
    });
  });
});

describe("L1", () => {
  test("sums the differences over joints and averages over vertices", () => {
    const predicted = rows(
      [
        [0, 0.75],
        [1, 0.25],
      ],
      [[5, 1]],
      [[2, 1]],
    );
    const artist = rows(
      [
        [1, 0.5],
        [0, 0.25],
        [2, 0.25],
      ],
      [[5, 1]],
      [[3, 1]],
    );
    expect([...vertexL1(predicted, artist)]).toEqual([1, 0, 2]);
    expect(meanL1(predicted, artist)).toBe(1);
  });

  test("is 1 for a vertex without weight", () => {
    expect(
      meanL1(
        rows([]),
        rows([
          [0, 0.5],
          [7, 0.5],
        ]),
      ),
    ).toBe(1);
  });
});

describe("deformation", () => {
  const skeleton: Skeleton = {
    names: ["root", "tip"],
    parents: Int32Array.of(-1, 0),
    positions: Float32Array.of(0, 0, 0, 0, 1, 0),
  };
  // A quarter turn of "tip" about z through (0, 1, 0): (0, 2, 0) moves to (-1, 1, 0).
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const quarter = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1];
  const matrices = Float32Array.from([...identity, ...quarter]);
  const positions = Float32Array.of(0, 2, 0, 0, 2, 0);

  test("measures the distance between the posed vertices", () => {
    const artist = rows([[1, 1]], [[1, 1]]);
    const predicted = rows(
      [[0, 1]],
      [
        [0, 0.5],
        [1, 0.5],
      ],
    );
    // From (-1, 1, 0) to (0, 2, 0), and to the midpoint.
    expect([...poseError(positions, predicted, artist, matrices)]).toEqual([
      expect.closeTo(Math.SQRT2, 6),
      expect.closeTo(Math.SQRT2 / 2, 6),
    ]);
  });

  test("leaves a vertex without weight at rest", () => {
    const artist = rows([[1, 1]], [[0, 1]]);
    const predicted = rows([], []);
    expect([...poseError(positions, predicted, artist, matrices)]).toEqual([
      expect.closeTo(Math.SQRT2, 6),
      0,
    ]);
  });

  test("averages means and maxima over the poses", () => {
    const prepared = randomCharacter(7);
    const { character } = prepared;
    const predicted = randomWeights(99, 40, 6);
    const poses = scoringPoses(character, 10).map((pose) =>
      poseError(character.mesh.positions, predicted, character.weights!, pose),
    );
    const mean = (values: Iterable<number>) => {
      const list = [...values];
      return list.reduce((sum, value) => sum + value, 0) / list.length;
    };
    const score = deformationError(character, predicted, character.weights!);
    expect(score.distance).toBeCloseTo(mean(poses.map(mean)), 9);
    expect(score.maxDistance).toBeCloseTo(mean(poses.map((errors) => Math.max(...errors))), 9);
    expect(score.distance).toBeGreaterThan(0);
  });

  test("rotates about 30 % of the joints, seeded by the character's name", () => {
    const chain = { ...skeleton, names: [], parents: new Int32Array(400).fill(-1) } as Skeleton;
    chain.names = Array.from({ length: 400 }, (_, j) => `j${j}`);
    chain.positions = new Float32Array(1200);
    const turned = scoringPoses({ name: "a", skeleton: chain }).flatMap((pose) =>
      chain.names.map((_, j) => +(Math.abs(pose[j * 16] - 1) > 1e-9)),
    );
    const share = turned.reduce((sum, one) => sum + one, 0) / turned.length;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.33);
    const again = scoringPoses({ name: "a", skeleton: chain })[3];
    expect(again).toEqual(scoringPoses({ name: "a", skeleton: chain })[3]);
    expect(again).not.toEqual(scoringPoses({ name: "b", skeleton: chain })[3]);
  });
});

describe("bleed and oracle", () => {
  const distances: BoneDistances = {
    k: 3,
    bones: Int32Array.of(4, 2, 0, 1, 0, -1),
    distances: Float32Array.of(0.02, 0.1, 0.12, 0.1, 0.3, Number.POSITIVE_INFINITY),
  };

  test("adds the weight on joints beyond 3 times the nearest plus 0.05", () => {
    // Vertex 0: beyond 0.11, so joint 2 is near, joints 0 and 9 are far. Vertex 1: beyond 0.35.
    const weights = rows(
      [
        [2, 0.5],
        [0, 0.25],
        [9, 0.25],
      ],
      [
        [1, 0.5],
        [0, 0.5],
      ],
    );
    expect([...vertexBleed(weights, distances)]).toEqual([0.5, 0]);
    expect(meanBleed(weights, distances)).toBe(0.25);
  });

  test("is the error that the K nearest bones cannot avoid", () => {
    const artist = rows(
      [
        [2, 0.5],
        [4, 0.25],
        [9, 0.25],
      ],
      [[0, 1]],
    );
    // K = 1: fractions 0.25 and 0 (no weight left: 1). K = 2: 0.75 and 1. K = 3: the same.
    expect(oracleAtK(artist, distances, 1)).toBe((1.5 + 1) / 2);
    expect(oracleAtK(artist, distances, 2)).toBe(0.5 / 2);
    expect(oracleAtK(artist, distances, 3)).toBe(0.5 / 2);
  });
});

describe("scoreWeights", () => {
  test("scores the artist's own weights 1, 1, 0, 0", () => {
    const prepared = randomCharacter(3);
    const preset = { ...findPreset("paper"), prune: 0 };
    const score = scoreWeights(prepared, prepared.character.weights!, { preset });
    expect(score.precision).toBe(1);
    expect(score.recall).toBe(1);
    expect(score.l1).toBeLessThan(1e-6);
    expect(score.distance).toBeLessThan(1e-6);
    expect(score.maxDistance).toBeLessThan(1e-6);
    expect(score.unweighted).toBe(0);
  });

  test("prunes for L1 and not for raw L1", () => {
    const prepared = randomCharacter(4);
    const score = scoreWeights(prepared, prepared.character.weights!);
    expect(score.precision).toBe(1);
    expect(score.recall).toBeLessThan(1);
    expect(score.l1).toBeGreaterThan(0);
    expect(score.l1Raw).toBe(0);
  });

  test.each([11, 12, 13])("does not depend on the order of the joints (seed %i)", (seed) => {
    const prepared = randomCharacter(seed);
    const predicted = randomWeights(seed + 50, 40, 6);
    const random = createRandom(seed);
    const place = [0, 1, 2, 3, 4, 5].sort(() => random() - 0.5);
    const before = scoreWeights(prepared, predicted);
    const after = scoreWeights(permute(prepared, place), permuteWeights(predicted, place));
    const { visible, ...metrics } = before;
    for (const [metric, value] of Object.entries(metrics)) {
      expect(after[metric as keyof typeof after], metric).toBeCloseTo(value, 9);
    }
    expect(after.visible).toEqual(visible);
  });

  test("scores a character without any predicted weight", () => {
    const prepared = randomCharacter(5);
    const nothing = { ...prepared.character.weights!, weights: new Float32Array(40 * 3) };
    expect(scoreWeights(prepared, nothing)).toMatchObject({
      precision: 0,
      recall: 0,
      l1: expect.closeTo(1, 6),
      unweighted: 1,
    });
  });

  test("reports a file without weights", () => {
    const prepared = randomCharacter(6);
    const { weights, ...character } = prepared.character;
    expect(() => scoreWeights({ ...prepared, character }, weights!)).toThrow(
      "random-6 has no weights to score against",
    );
  });
});
