import { expect, test } from "vitest";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { buildSkinGraph } from "./build-skin-graph.ts";
import { collate } from "./collate.ts";
import type { GraphConfig } from "./skin-graph.ts";

const CONFIG: GraphConfig = { k: 4, features: "extended", ring: 8, ball: 8 };

test("nodes keep their order and indices point at the same nodes as before", () => {
  const graphs = [
    [20, 3],
    [36, 5],
    [16, 1],
  ].map(([v, b]) => buildSkinGraph(randomGraphInput(v, b, v), CONFIG));
  const all = collate(graphs);
  let [vertex, bone] = [0, 0];
  for (const graph of graphs) {
    const { V, B, K } = graph;
    const rows = <T extends Float32Array | Int32Array>(table: T, at: number, length: number): T => {
      const width = table.length / (table === (all.boneRing as unknown) ? all.B : all.V);
      return table.subarray(at * width, at * width + length) as T;
    };
    for (const name of ["ring", "ball"] as const) {
      const expected = graph[name].map((v) => v + vertex);
      expect(rows(all[name], vertex, expected.length)).toEqual(expected);
    }
    const bones = graph.boneRing.map((b) => b + bone);
    expect(rows(all.boneRing, bone, bones.length)).toEqual(bones);
    expect(all.pairBone.subarray(vertex * K, (vertex + V) * K)).toEqual(
      graph.pairBone.map((b) => b + bone),
    );
    expect(rows(all.vertexFeatures, vertex, graph.vertexFeatures.length)).toEqual(
      graph.vertexFeatures,
    );
    expect(rows(all.pairFeatures, vertex, graph.pairFeatures.length)).toEqual(graph.pairFeatures);
    vertex += V;
    bone += B;
  }
  expect([all.V, all.B]).toEqual([vertex, bone]);
  expect(all.characterBones.groups).toBe(3);
});

test("graphs of different K, or none, are refused", () => {
  const input = randomGraphInput(16, 4, 1);
  const graphs = [3, 4].map((k) => buildSkinGraph(input, { ...CONFIG, k }));
  expect(() => collate(graphs)).toThrow("same K");
  expect(() => collate([])).toThrow("at least one graph");
});
