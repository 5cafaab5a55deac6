import { beforeAll, expect, test } from "vitest";
import { smallConfig } from "../../test/helpers/example-config.ts";
import { feedTensors, floats, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { startJax } from "../compile/jax.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import { buildSegments } from "../graph/segments.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { parameterSpecs, predictLogWeights } from "./network.ts";
import { exp } from "./ops.ts";
import { initialParameters, namedScope, splitFlat } from "./parameters.ts";

beforeAll(startJax);

const config = smallConfig("default");

async function weightsOf(graph: SkinGraph, slotsAtOnce?: number): Promise<Float32Array> {
  const specs = parameterSpecs(config);
  const flat = initialParameters(specs, 4);
  const scope = namedScope(splitFlat(floats(flat, [flat.length]), specs));
  const inputs = feedTensors(graphFeeds(graph));
  return valuesOf(exp(predictLogWeights(scope, inputs, config, undefined, slotsAtOnce)));
}

/** The same graph with each vertex's candidates in the reverse order. */
function reversed(graph: SkinGraph): SkinGraph {
  const { K, pairBone } = graph;
  const width = graph.pairFeatures.length / pairBone.length;
  const from = (i: number): number => Math.floor(i / K) * K + (K - 1 - (i % K));
  const bones = pairBone.map((_, i) => pairBone[from(i)]);
  const pairFeatures = graph.pairFeatures.map(
    (_, i) => graph.pairFeatures[from(Math.floor(i / width)) * width + (i % width)],
  );
  return { ...graph, pairBone: bones, pairFeatures, bonePairs: buildSegments(bones, graph.B) };
}

test("one scorer evaluates every pair, so the weights do not depend on the order of candidates", async () => {
  const graph = buildSkinGraph(randomGraphInput(40, 7, 3), config.graph);
  expect(graph.pairValid.every((valid) => valid === 1)).toBe(true);
  const plain = await weightsOf(graph);
  const turned = await weightsOf(reversed(graph));
  for (let v = 0; v < graph.V; v++) {
    for (let k = 0; k < 4; k++) {
      expect(turned[v * 4 + 3 - k]).toBeCloseTo(plain[v * 4 + k], 5);
    }
  }
  expect(Math.max(...plain)).toBeGreaterThan(0.3);
});

test("repetitions instead of masks produce the same weights, with and without empty slots", async () => {
  for (const bones of [1, 2, 7]) {
    const graph = buildSkinGraph(randomGraphInput(40, bones, 5), config.graph);
    expect(await weightsOf(graph, 8)).toBeAllClose(await weightsOf(graph), 1e-5);
  }
});

test("fewer bones than K: weights over the existing bones, the rest exactly 0", async () => {
  for (const bones of [1, 2]) {
    const graph = buildSkinGraph(randomGraphInput(20, bones, bones), config.graph);
    const weights = await weightsOf(graph);
    for (let v = 0; v < graph.V; v++) {
      const row = weights.subarray(v * 4, v * 4 + 4);
      // Exponentials in 32 bits: the sum deviates from 1 by about 2e-5.
      expect(Math.abs(row.slice(0, bones).reduce((a, b) => a + b, 0) - 1)).toBeLessThan(2e-5);
      expect([...row.slice(bones)]).toEqual(Array(4 - bones).fill(0));
    }
  }
});
