/** Compares the columns of the feature tables with values computed by hand. */
import { expect, test } from "vitest";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { bonesOf } from "../skeleton/bones.ts";
import { BONE_FEATURES, boneFeatures } from "./bone-features.ts";
import { buildSkinGraph, featureWidths } from "./build-skin-graph.ts";
import { logDistance, PAIR_FEATURES, pairFeatures } from "./pair-features.ts";
import {
  inverseDistance,
  paperBoneFeatures,
  paperVertexFeatures,
  rignetVertexFeatures,
} from "./paper-features.ts";
import type { FeatureSet, GraphInput } from "./skin-graph.ts";
import { VERTEX_FEATURES, vertexFeatures } from "./vertex-features.ts";

/**
 * Two parts: a triangle (vertices 0 to 2) and an isolated vertex 3. A chain of two joints, the second one a leaf
 * with a tail; vertex 3 has only one candidate.
 */
function handMade(): GraphInput {
  const mesh = {
    positions: Float32Array.of(0, 0, 0, 0.3, 0, 0, 0, 0.4, 0, 0.1, 1, 0.2),
    triangles: Uint32Array.of(0, 1, 2),
  };
  const skeleton = {
    names: ["Hips", "Tail_end"],
    parents: Int32Array.of(-1, 0),
    positions: Float32Array.of(0, 0.5, 0, 0, 0.7, 0),
  };
  return {
    mesh,
    skeleton,
    bones: bonesOf(skeleton, Float32Array.of(0, 0, 0, 0, 0.8, 0)),
    inside: Float32Array.of(0.75, 1),
    distances: {
      k: 2,
      bones: Int32Array.of(0, 1, 0, 1, 0, 1, 1, -1),
      distances: Float32Array.of(0.5, 0.7, 0.6, 0.8, 0.1, 0.3, 0.25, Infinity),
    },
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0),
    thickness: Float32Array.of(0.1, 0.1, 0.2, 0.3),
    ball: new Int32Array(4 * 2),
    prior: Float32Array.of(0.75, 0.25, 1, 0, 0.2, 0.8, 1, 0),
  };
}

/** Row `row` of a table by column names. */
function named(table: Float32Array, names: readonly string[], row: number): Record<string, number> {
  return Object.fromEntries(names.map((name, i) => [name, table[row * names.length + i]]));
}

function expectColumns(got: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected)) {
    expect(got[name], name).toBeCloseTo(value, 4);
  }
}

test("vertex features of a triangle and an isolated vertex", () => {
  const input = handMade();
  const neighbors = vertexNeighbors(input.mesh.triangles, 4);
  const table = vertexFeatures(input, neighbors, connectedComponents(neighbors));
  expect(table.length).toBe(4 * VERTEX_FEATURES.length);
  expectColumns(named(table, VERTEX_FEATURES, 1), {
    x: 0.6,
    y: -1,
    z: 0,
    "normal.z": 1,
    "log.nearest": logDistance(0.6),
    // Edges of 0.3 and 0.5.
    "log.edge": logDistance(0.4),
    "prior.max": 1,
    "prior.entropy": 0,
    "part.share": Math.sqrt(3 / 4),
    "part.width": 0.3,
    "part.height": 0.4,
    "part.depth": 0,
    "part.x": 0.3,
    "part.y": -0.4,
    "log.parts": Math.log(2) / 4,
  });
  expectColumns(named(table, VERTEX_FEATURES, 0), {
    "prior.max": 0.75,
    "prior.entropy": -(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)),
  });
  expectColumns(named(table, VERTEX_FEATURES, 3), {
    "log.edge": logDistance(0),
    "part.share": 0.5,
    "part.width": 0,
    "part.x": 0,
  });
});

test("bone features of a chain of two", () => {
  const table = boneFeatures(handMade());
  expect(table.length).toBe(2 * BONE_FEATURES.length);
  expectColumns(named(table, BONE_FEATURES, 0), {
    "head.y": 0,
    "end.y": 0.4,
    "direction.y": 1,
    "log.length": logDistance(0.2),
    "log.parent": 0,
    children: 0.25,
    leaf: 0,
    root: 1,
    depth: 0,
    "log.subtree": Math.log(2) / 3,
    coincident: 0,
    "log.nearest.vertex": logDistance(0.1),
    "share.nearest": Math.sqrt(3 / 4),
    "share.candidate": Math.sqrt(3 / 4),
    "name.hips": 1,
    "name.tail": 0,
  });
  expectColumns(named(table, BONE_FEATURES, 1), {
    "head.y": 0.4,
    "end.y": 0.6,
    "log.length": logDistance(0.1),
    "log.parent": logDistance(0.2),
    leaf: 1,
    root: 0,
    depth: 0.1,
    "log.subtree": 0,
    "log.nearest.vertex": logDistance(0.25),
    "share.nearest": Math.sqrt(1 / 4),
    "share.candidate": 1,
    "name.tail": 1,
    "name.end": 1,
  });
});

test("pair features of a vertex next to two bones, and of an empty slot", () => {
  const table = pairFeatures(handMade(), 2);
  expect(table.length).toBe(4 * 2 * PAIR_FEATURES.length);
  // Vertex 2 at (0, 0.4, 0), 0.1 below the first bone's head, 0.3 below the second's.
  expectColumns(named(table, PAIR_FEATURES, 4), {
    offsetX: 0,
    offsetY: 0.4,
    euclid: 0.4,
    along: 0,
    alongFree: -0.25,
    logEuclid: logDistance(0.1),
    logHollow: logDistance(0.1),
    ratioHollow: 0,
    ratioEuclid: 0,
    inverseHollow: 0.4,
    detour: 0,
    logLength: logDistance(0.2),
    normalOffset: 0,
    normalAxis: 0,
    offsetAxis: 1,
    rank: 0,
    prior: 0.2,
    hopsNearest: 0,
    nearest: 1,
    hopsHeat: 1 / 7,
    heat: 0,
    parentOfHeat: 1,
    childOfHeat: 0,
  });
  expectColumns(named(table, PAIR_FEATURES, 5), {
    offsetY: 1.2,
    ratioHollow: Math.log(0.31 / 0.11),
    rank: 1 / 16,
    prior: 0.8,
    hopsNearest: 1 / 7,
    nearest: 0,
    childOfNearest: 1,
    parentOfNearest: 0,
    heat: 1,
  });
  const empty = table.subarray(7 * PAIR_FEATURES.length);
  expect([...empty].every((value) => value === 0)).toBe(true);
});

test("the paper's attributes: position and scaled inverse distances; start and end of a bone", () => {
  const input = handMade();
  const vertices = paperVertexFeatures(input, 2);
  const expected = [0.1, 1, 0.2, 0.05 / 0.26, 0];
  expected.forEach((value, i) => {
    expect(vertices[3 * 5 + i]).toBeCloseTo(value, 6);
  });
  expect(inverseDistance(0)).toBeCloseTo(5, 6);
  const bones = paperBoneFeatures(input);
  expect(bones.subarray(6)).toEqual(Float32Array.of(0, 0.7, 0, 0, 0.8, 0));
});

test("RigNet's attributes: eight numbers for each candidate bone", () => {
  const table = rignetVertexFeatures(handMade(), 2);
  const row = [...table.subarray(0, 3 + 16)];
  const expected = [0, 0, 0, 0, 0.5, 0, 0, 0.7, 0, 0.05 / 0.51, 0];
  expected.push(0, 0.7, 0, 0, 0.8, 0, 0.05 / 0.71, 1);
  expected.forEach((value, i) => {
    expect(row[i]).toBeCloseTo(value, 6);
  });
});

test.each<FeatureSet>(["paper", "extended", "rignet", "neuroskinning"])(
  "tables of the set %s have the declared width, and are finite for K from 3 to 16",
  (features) => {
    for (const [vertices, bones, k] of [
      [30, 6, 3],
      [16, 2, 8],
      [16, 1, 16],
    ]) {
      const config = { k, features, ring: 8, ball: 8 };
      const graph = buildSkinGraph(randomGraphInput(vertices, bones, k, k), config);
      const widths = featureWidths(config);
      expect(graph.vertexFeatures.length).toBe(graph.V * widths.vertex);
      expect(graph.boneFeatures.length).toBe(graph.B * widths.bone);
      expect(graph.pairFeatures.length).toBe(graph.V * k * widths.pair);
      for (const table of [graph.vertexFeatures, graph.boneFeatures, graph.pairFeatures]) {
        expect([...table].every(Number.isFinite)).toBe(true);
      }
      const filled = graph.pairValid.reduce((sum, valid) => sum + valid, 0);
      expect(filled).toBe(graph.V * Math.min(bones, k));
    }
  },
);

test("features depend on the candidates of the network, not on the number of measured ones", () => {
  const config = { k: 3, features: "extended" as const, ring: 8, ball: 8 };
  const more = randomGraphInput(30, 9, 2, 8);
  const first = (table: Float32Array | Int32Array): never =>
    table.filter((_, i) => i % 8 < 3) as never;
  const fewer: GraphInput = {
    ...more,
    distances: {
      k: 3,
      bones: first(more.distances.bones),
      distances: first(more.distances.distances),
    },
    prior: first(more.prior),
  };
  expect(buildSkinGraph(more, config)).toEqual(buildSkinGraph(fewer, config));
  expect(() => buildSkinGraph(fewer, { ...config, k: 4 })).toThrow("needs 4 slots");
});
