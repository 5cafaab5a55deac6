import { beforeAll, expect, test } from "vitest";
import { smallConfig } from "../../test/example-config.ts";
import { feedTensors, floats, valuesOf } from "../../test/graph-arrays.ts";
import { randomGraphInput } from "../../test/random-graph-input.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { predictLogWeights } from "../network/network.ts";
import { parameterSpecs } from "../network/parameter-specs.ts";
import { initialParameters, namedScope, splitFlat } from "../network/parameters.ts";
import { startJax } from "../onnx/jax.ts";
import { padVertices, VERTEX_MULTIPLE } from "./pad-vertices.ts";

beforeAll(startJax);

test.each(["default", "paper", "neuroskinning"])(
  "padding changes nothing for the vertices there are, in the network %s",
  async (preset) => {
    const config = smallConfig(preset);
    const graph = buildSkinGraph(randomGraphInput(75, 6, 3), config.graph);
    const padded = padVertices(graph);
    expect(padded.V).toBe(Math.ceil(graph.V / VERTEX_MULTIPLE) * VERTEX_MULTIPLE);
    expect(padded.V).toBeGreaterThan(graph.V);
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

test("a graph of the right size is left as it is", () => {
  const graph = buildSkinGraph(randomGraphInput(64, 4, 2), smallConfig("paper").graph);
  expect(graph.V).toBe(64);
  expect(padVertices(graph)).toBe(graph);
});
