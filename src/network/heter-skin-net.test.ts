import { beforeAll, expect, test } from "vitest";
import { smallConfig } from "../../test/helpers/example-config.ts";
import {
  denseRows,
  drawingScope,
  expectRows,
  feedTensors,
  floats,
  linearRows,
  randomRows,
  valuesOf,
} from "../../test/helpers/graph-arrays.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { startJax } from "../compile/jax.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { collate } from "../graph/collate.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { createRandom } from "../math/random.ts";
import { graphTensors } from "./graph-tensors.ts";
import { slotHead, spreadCharacters } from "./heter-skin-net.ts";
import { parameterSpecs, predictLogWeights } from "./network.ts";
import { initialParameters, namedScope, splitFlat } from "./parameters.ts";

beforeAll(startJax);

const config = smallConfig("paper");
const SIZES = [20, 30];

function twoCharacters(preset = config): SkinGraph[] {
  return SIZES.map((v) => buildSkinGraph(randomGraphInput(v, 5, v), preset.graph));
}

/** The character of each vertex in the batch. */
function ownerOf(graphs: SkinGraph[]): number[] {
  return graphs.flatMap((graph, i) => Array<number>(graph.V).fill(i));
}

test("the slot head is three layers on local features and those of the same character", async () => {
  const graphs = twoCharacters();
  const owner = ownerOf(graphs);
  const tensors = graphTensors(feedTensors(graphFeeds(collate(graphs))));
  const random = createRandom(1);
  const [V, F, G] = [owner.length, 5, 3];
  const local = randomRows(random, V, F);
  const globals = randomRows(random, 2, G);
  const masks = { first: randomRows(random, 2, 12), second: randomRows(random, 2, 10) };
  const scope = drawingScope(random);
  const out = slotHead(
    { scope, graph: tensors, config },
    floats(local.flat(), [V, F]),
    floats(globals.flat(), [2, G]),
    { first: floats(masks.first.flat(), [2, 12]), second: floats(masks.second.flat(), [2, 10]) },
  );
  const { arrays } = scope;
  const W = [...arrays["head.first.local.W"], ...arrays["head.first.global.W"]];
  const joined = local.map((row, v) => [...row, ...globals[owner[v]]]);
  const dropped = (x: number[][], mask: number[][]): number[][] =>
    x.map((row, v) => row.map((value, f) => value * mask[owner[v]][f]));
  const one = dropped(denseRows(joined, W, arrays["head.first.b"]), masks.first);
  const two = dropped(
    denseRows(one, arrays["head.second.W"], arrays["head.second.b"]),
    masks.second,
  );
  await expectRows(out, linearRows(two, arrays["head.third.W"], arrays["head.third.b"]), 2);
});

test("each vertex receives the row of its character", async () => {
  const graphs = twoCharacters();
  const tensors = graphTensors(feedTensors(graphFeeds(collate(graphs))));
  const spread = await valuesOf(spreadCharacters(floats([3, 8], [2, 1]), tensors));
  expect([...spread]).toEqual(ownerOf(graphs).map((i) => [3, 8][i]));
});

test.each(["default", "paper", "rignet", "neuroskinning"])(
  "the global branches of %s reach the whole character and no other",
  async (preset) => {
    const small = smallConfig(preset);
    const graphs = twoCharacters(small);
    const specs = parameterSpecs(small);
    const flat = initialParameters(specs, 2);
    const weights = async (batch: SkinGraph): Promise<Float32Array> => {
      const scope = namedScope(splitFlat(floats(flat, [flat.length]), specs));
      return valuesOf(predictLogWeights(scope, feedTensors(graphFeeds(batch)), small));
    };
    const batch = collate(graphs);
    const before = await weights(batch);
    // Vertex 0 of the first character moves far away; its two parts share no edge.
    const moved = { ...batch, vertexFeatures: batch.vertexFeatures.slice() };
    moved.vertexFeatures.fill(9, 0, 3);
    const after = await weights(moved);
    const last = graphs[0].V - 1;
    const changed = (v: number): boolean =>
      [0, 1, 2, 3].some((k) => Math.abs(after[v * 4 + k] - before[v * 4 + k]) > 1e-5);
    expect(batch.partVertices.rowChunk[0]).not.toBe(batch.partVertices.rowChunk[last]);
    expect(changed(last)).toBe(true);
    for (let v = graphs[0].V; v < batch.V; v++) expect(changed(v), `vertex ${v}`).toBe(false);
  },
);
