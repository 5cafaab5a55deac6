import { beforeAll, expect, test } from "vitest";
import { smallConfig } from "../../test/example-config.ts";
import { feedTensors, floats, valuesOf } from "../../test/graph-arrays.ts";
import { randomGraphInput } from "../../test/random-graph-input.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { longestGroup } from "../graph/collate.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { predictLogWeights } from "../network/network.ts";
import { parameterSpecs } from "../network/parameter-specs.ts";
import { initialParameters, namedScope, splitFlat } from "../network/parameters.ts";
import { startJax } from "../onnx/jax.ts";
import { padGraph, VERTEX_MULTIPLE } from "./pad-graph.ts";
import { roundSize } from "./round-size.ts";

beforeAll(startJax);

test.each(["default", "paper", "neuroskinning"])(
  "padding changes nothing for the vertices there are, in the network %s",
  async (preset) => {
    const config = smallConfig(preset);
    const graph = buildSkinGraph(randomGraphInput(75, 35, 3), config.graph);
    const padded = padGraph(graph);
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

test("all sizes become round, and round ones stay", () => {
  const padded = padGraph(buildSkinGraph(randomGraphInput(75, 35, 3), smallConfig("paper").graph));
  expect([padded.V, padded.B]).toEqual([128, 36]);
  const { partVertices, bonePairs } = padded;
  const sizes = [partVertices.groups, bonePairs.chunkGroup.length, longestGroup(bonePairs)];
  expect(sizes.map(roundSize)).toEqual(sizes);
  expect(padGraph(padded)).toEqual(padded);
});

test.each([
  [1, 1],
  [8, 8],
  [9, 9],
  [17, 18],
  [300, 320],
  [16384, 16384],
  [16385, 18432],
])("%i becomes %i", (size, round) => {
  expect(roundSize(size)).toBe(round);
});
