import { expect, test } from "vitest";
import { smallConfig, withoutLook } from "../../test/helpers/example-config.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { buildSkinGraph } from "./build-skin-graph.ts";
import { pairRing } from "./pair-ring.ts";

test("a pair meets those of its bone at neighboring vertices, itself where one lacks the bone or comes again", () => {
  const { graph: config } = withoutLook(smallConfig("narrow"));
  const graph = buildSkinGraph(randomGraphInput(40, 9, 2), config);
  const { V, K, ring, pairBone } = graph;
  const { rows, shared } = pairRing(graph, config.ring);
  let lacking = 0;
  for (let pair = 0; pair < V * K; pair++) {
    const v = Math.floor(pair / K);
    let count = 0;
    for (let slot = 0; slot < config.ring; slot++) {
      const u = ring[v * config.ring + slot];
      const bones = [...pairBone.subarray(u * K, (u + 1) * K)];
      const isFirst = ring.indexOf(u, v * config.ring) === v * config.ring + slot;
      const at = isFirst ? bones.indexOf(pairBone[pair]) : -1;
      expect(rows[pair * config.ring + slot]).toBe(at < 0 ? pair : u * K + at);
      if (at >= 0) count++;
      else lacking++;
    }
    expect(shared[pair]).toBe(count);
  }
  expect(lacking).toBeGreaterThan(0);
});

test("an empty slot meets nobody", () => {
  const graph = buildSkinGraph(
    randomGraphInput(20, 2, 4),
    withoutLook(smallConfig("narrow")).graph,
  );
  const { rows, shared } = pairRing(graph, 3);
  const width = rows.length / shared.length;
  let empty = 0;
  graph.pairValid.forEach((valid, pair) => {
    if (valid > 0) return;
    empty++;
    expect(shared[pair]).toBe(0);
    expect([...rows.subarray(pair * width, (pair + 1) * width)]).toEqual(Array(width).fill(pair));
  });
  expect(empty).toBeGreaterThan(0);
});
