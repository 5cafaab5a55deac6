import { beforeAll, expect, test } from "vitest";
import { smallConfig } from "../../test/helpers/example-config.ts";
import { feedTensors, floats, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { startJax } from "../compile/jax.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { longestGroup } from "../graph/collate.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { FEW, MANY, roundSize } from "../math/arrays.ts";
import { parameterSpecs, predictLogWeights } from "../network/network.ts";
import { initialParameters, namedScope, splitFlat } from "../network/parameters.ts";
import { padGraph, VERTEX_MULTIPLE } from "./pad-graph.ts";

beforeAll(startJax);

const SIZE = { vertices: 300, joints: 60, parts: 9, characters: 3 };

test.each(["default", "paper", "neuroskinning"])(
  "padding does not change the results of existing vertices, in the network %s",
  async (preset) => {
    const config = smallConfig(preset);
    const graph = buildSkinGraph(randomGraphInput(75, 35, 3), config.graph);
    const padded = padGraph(graph, preset === "default" ? SIZE : undefined);
    expect(padded.V % VERTEX_MULTIPLE).toBe(0);
    expect(padded.V).toBeGreaterThan(graph.V);
    expect(padded.B).toBeGreaterThan(graph.B);
    expect(padded.bonePairs.chunkGroup.length).toBeGreaterThan(graph.bonePairs.chunkGroup.length);
    const specs = parameterSpecs(config);
    const flat = initialParameters(specs, 1);
    const predicted = async (g: SkinGraph): Promise<Float32Array> => {
      const scope = namedScope(splitFlat(floats(flat, [flat.length]), specs));
      return valuesOf(predictLogWeights(scope, feedTensors(graphFeeds(g)), config));
    };
    const [plain, more] = [await predicted(graph), await predicted(padded)];
    expect(more.every(Number.isFinite)).toBe(true);
    expect(more.subarray(0, plain.length)).toBeAllClose(plain, 1e-5);
  },
);

test("all sizes are rounded up, and round ones stay", () => {
  const padded = padGraph(buildSkinGraph(randomGraphInput(75, 35, 3), smallConfig("paper").graph));
  expect([padded.V, padded.B]).toEqual([128, 48]);
  const { partVertices, bonePairs } = padded;
  const few = [partVertices.groups, longestGroup(bonePairs)];
  expect(few.map((size) => roundSize(size, FEW))).toEqual(few);
  const chunks = bonePairs.chunkGroup.length;
  expect(roundSize(chunks, MANY)).toBe(chunks);
  expect(padGraph(padded)).toEqual(padded);
});

test("graphs padded to one size have enough chunks for any graph of that size", () => {
  const sizes = [5, 6, 7].map((seed) => {
    const graph = buildSkinGraph(randomGraphInput(60 + seed, 20, seed), smallConfig("paper").graph);
    const { V, bonePairs, partVertices } = padGraph(graph, { ...SIZE, vertices: 70 });
    return [V, bonePairs.chunkGroup.length, partVertices.chunkGroup.length - partVertices.groups];
  });
  expect(sizes[0][0]).toBe(128);
  expect(sizes).toEqual(sizes.map(() => sizes[0]));
});

test.each([
  [1, FEW, 1],
  [3, FEW, 3],
  [5, FEW, 6],
  [300, FEW, 384],
  [9, MANY, 9],
  [17, MANY, 18],
  [300, MANY, 320],
  [16384, MANY, 16384],
  [16385, MANY, 18432],
])("%i with %i sizes to a power of two becomes %i", (size, steps, round) => {
  expect(roundSize(size, steps)).toBe(round);
});
