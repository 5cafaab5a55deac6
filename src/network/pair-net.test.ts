import { beforeAll, expect, test } from "vitest";
import { smallConfig, withoutLook } from "../../test/helpers/example-config.ts";
import { feedTensors, floats, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { startJax } from "../compile/jax.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { buildSegments } from "../graph/segments.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { createRandom } from "../math/random.ts";
import { graphTensors } from "./graph-tensors.ts";
import { parameterSpecs, predictLogWeights } from "./network.ts";
import { exp } from "./ops.ts";
import { along } from "./pair-net.ts";
import { initialParameters, namedScope, splitFlat } from "./parameters.ts";

beforeAll(startJax);

const config = smallConfig("default");
/** With messages along the mesh; of the candidates there are. */
const narrow = withoutLook(smallConfig("narrow"));

async function weightsOf(
  graph: SkinGraph,
  slotsAtOnce?: number,
  of: ModelConfig = config,
): Promise<Float32Array> {
  const specs = parameterSpecs(of);
  const flat = initialParameters(specs, 4);
  const scope = namedScope(splitFlat(floats(flat, [flat.length]), specs));
  const inputs = feedTensors(graphFeeds(graph, of.graph));
  return valuesOf(exp(predictLogWeights(scope, inputs, of, undefined, slotsAtOnce)));
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
  for (const of of [config, narrow]) {
    const graph = buildSkinGraph(randomGraphInput(40, 13, 3), of.graph);
    expect(graph.pairValid.every((valid) => valid === 1)).toBe(true);
    const plain = await weightsOf(graph, undefined, of);
    const turned = await weightsOf(reversed(graph), undefined, of);
    for (let v = 0; v < graph.V; v++) {
      for (let k = 0; k < 4; k++) {
        expect(turned[v * 4 + 3 - k]).toBeCloseTo(plain[v * 4 + k], 5);
      }
    }
    expect(Math.max(...plain)).toBeGreaterThan(0.3);
  }
});

test("repetitions instead of masks produce the same weights, with and without empty slots", async () => {
  for (const bones of [1, 2, 7]) {
    const graph = buildSkinGraph(randomGraphInput(40, bones, 5), config.graph);
    expect(await weightsOf(graph, 8)).toBeAllClose(await weightsOf(graph), 1e-5);
    const other = buildSkinGraph(randomGraphInput(40, bones, 5), narrow.graph);
    const whole = await weightsOf(other, undefined, narrow);
    expect(await weightsOf(other, 8, narrow)).toBeAllClose(whole, 1e-5);
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

test("messages along the mesh equal loops over the neighbors that have the bone", async () => {
  const graph = buildSkinGraph(randomGraphInput(30, 9, 8), narrow.graph);
  const { V, K, ring, pairBone, pairValid } = graph;
  const [stride, slots] = [ring.length / V, narrow.graph.pairRing!];
  const [pair, heard] = [narrow.pair, narrow.along!];
  const random = createRandom("along");
  const drawn = (count: number) => Float32Array.from({ length: count }, () => random() - 0.5);
  const state = drawn(V * K * pair);
  const arrays: Record<string, [Float32Array, number[]]> = {
    "x.pair.gain": [drawn(pair), [pair]],
    "x.ring.P.W": [drawn(pair * heard), [pair, heard]],
    "x.ring.P.b": [drawn(heard), [heard]],
    "x.ring.Q.W": [drawn(pair * heard), [pair, heard]],
    "x.mean.W": [drawn(pair * heard), [pair, heard]],
    "x.out.W": [drawn(heard * pair), [heard, pair]],
    "x.out.b": [drawn(pair), [pair]],
  };
  const scope = namedScope(
    Object.fromEntries(
      Object.entries(arrays).map(([name, [data, dims]]) => [name, floats(data, dims)]),
    ),
  );
  const inputs = feedTensors(graphFeeds(graph, narrow.graph));
  const net = { scope, graph: graphTensors(inputs), config: narrow };
  const got = await valuesOf(along(net, "x", floats(state, [V * K, pair])));

  const times = (row: number[], name: string): number[] => {
    const [data, [, columns]] = arrays[name];
    return Array.from({ length: columns }, (_, c) =>
      row.reduce((total, value, r) => total + value * data[r * columns + c], 0),
    );
  };
  const normed = Array.from({ length: V * K }, (_, p) => {
    const row = [...state.subarray(p * pair, (p + 1) * pair)];
    const size = Math.sqrt(row.reduce((total, value) => total + value * value, 0) / pair + 1e-5);
    return row.map((value, i) => (value / size) * arrays["x.pair.gain"][0][i]);
  });
  let lacking = 0;
  for (let p = 0; p < V * K; p++) {
    if (pairValid[p] === 0) continue;
    const v = Math.floor(p / K);
    const row = [...ring.subarray(v * stride, v * stride + slots)];
    const met = [...new Set(row)].map((u) =>
      Array.from({ length: K }, (_, k) => u * K + k).find(
        (q) => pairBone[q] === pairBone[p] && pairValid[q] === 1,
      ),
    );
    const sharing = met.filter((q) => q !== undefined);
    lacking += met.length - sharing.length;
    const reach = sharing.length < slots ? [...sharing, p] : sharing;
    const received = reach.map((q) => times(normed[q], "x.ring.Q.W"));
    const sent = sharing.map((q) => times(normed[q], "x.mean.W"));
    const own = times(normed[p], "x.ring.P.W");
    const hidden = own.map((value, c) => {
      const highest = Math.max(...received.map((row) => row[c]));
      const mean = sent.reduce((total, row) => total + row[c], 0) / Math.max(1, sent.length);
      const sum = value + arrays["x.ring.P.b"][0][c] + highest + mean;
      return sum > 0 ? sum : 0.2 * sum;
    });
    const expected = times(hidden, "x.out.W").map((value, c) => value + arrays["x.out.b"][0][c]);
    expect(got.subarray(p * pair, (p + 1) * pair)).toBeAllClose(Float32Array.from(expected), 1e-4);
  }
  expect(lacking).toBeGreaterThan(0);
});
