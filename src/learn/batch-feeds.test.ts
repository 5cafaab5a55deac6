import { expect, test } from "vitest";
import { smallConfig } from "../../test/helpers/example-config.ts";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { SMOOTH_NEIGHBORS } from "../network/step-state.ts";
import { batchFeeds } from "./batch-feeds.ts";
import type { Sample } from "./sample.ts";
import { reverseFeeds } from "./step.ts";

const config = smallConfig("default");
const K = config.graph.k;

/** Labels that omit some of the artist's weight; vertex 3 has none, vertex 5 represents four. */
function sample(vertices: number, seed: number): Sample {
  const input = randomGraphInput(vertices, 6, seed);
  const V = input.mesh.positions.length / 3;
  const labels = Float32Array.from({ length: V * K }, (_, i) => (i % K === 0 ? 0.6 : 0.1));
  labels.fill(0, 3 * K, 4 * K);
  const counts = new Uint16Array(V).fill(1);
  counts[5] = 4;
  return { input, labels, counts };
}

const samples = [sample(30, 1), sample(50, 2)];
const batch = batchFeeds(samples, config, { vertex: 16 }, "seed");
const floatsOf = (name: string): Float32Array => batch.feeds[name].data as Float32Array;

test("labels of each vertex add up to 1 over its candidates, and each character has the same total weight", () => {
  const [labels, weight] = [floatsOf("labels"), floatsOf("vertexWeight")];
  let start = 0;
  for (const { counts } of samples) {
    const own = weight.subarray(start, start + counts.length);
    const total = own.reduce((a, b) => a + b, 0);
    // Vertex 3 is excluded because it has no label.
    expect(total).toBeCloseTo((1 - 1 / (counts.length + 3)) / 2, 5);
    expect(own[5] / own[4]).toBeCloseTo(4, 5);
    for (let v = start; v < start + counts.length; v++) {
      const row = labels.subarray(v * K, v * K + K);
      const empty = v - start === 3;
      expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(empty ? 0 : 1, 5);
      if (empty) expect(weight[v]).toBe(0);
      else expect(row[0] / row[1]).toBeCloseTo(6, 4);
    }
    start += counts.length;
  }
  expect([...weight.subarray(start)].every((value) => value === 0)).toBe(true);
});

test("each smoothing slot points at the neighbor's pair of the same bone", () => {
  const { smoothRows, smoothValid, "bonePairs.chunkRows": chunkRows } = batch.feeds;
  const boneOf = new Map<number, number>();
  const chunkValid = floatsOf("bonePairs.chunkValid");
  const chunkGroup = batch.feeds["bonePairs.chunkGroup"].data;
  chunkRows.data.forEach((pair, i) => {
    if (chunkValid[i] === 1) boneOf.set(pair, chunkGroup[Math.floor(i / 32)]);
  });
  let same = 0;
  smoothRows.data.forEach((pair, i) => {
    if (smoothValid.data[i] === 0) return;
    const own = Math.floor(i / (SMOOTH_NEIGHBORS * K)) * K + (i % K);
    expect(boneOf.get(pair)).toBe(boneOf.get(own));
    same++;
  });
  expect(same).toBeGreaterThan(100);
});

test("masks keep the expectation, and the seed determines masks and dropped edges", () => {
  const mask = floatsOf("dropout.vertex");
  expect(batch.feeds["dropout.vertex"].dims).toEqual([2, 16]);
  const values = mask.map((value) => value * (1 - config.dropout));
  values.forEach((value) => {
    expect(Math.min(Math.abs(value), Math.abs(value - 1))).toBeLessThan(1e-6);
  });
  expect(batchFeeds(samples, config, { vertex: 16 }, "seed")).toEqual(batch);
  expect(batchFeeds(samples, config, { vertex: 16 }, "other").feeds.ring).not.toEqual(
    batch.feeds.ring,
  );
});

test("reverse lists contain exactly the slots that read each row", () => {
  const inputs = {
    ring: { shape: ["V", 6] },
    vertexFeatures: { shape: ["V", 18] },
    "bonePairs.rowChunk": { shape: ["V", K] },
    "bonePairs.chunkGroup": { shape: ["C"] },
    smoothRows: { shape: ["V", SMOOTH_NEIGHBORS, K] },
  };
  const asked = [
    { name: "ring.reverse", of: "ring", rows: "V" },
    { name: "rowChunk.reverse", of: "bonePairs.rowChunk", rows: "C" },
    { name: "smooth.reverse", of: "smoothRows", rows: `${K}*V` },
  ];
  const reversed = reverseFeeds(batch, asked, inputs);
  const rowsOf = {
    "ring.reverse": batch.feeds.vertexFeatures.dims[0],
    "rowChunk.reverse": batch.feeds["bonePairs.chunkGroup"].dims[0],
    "smooth.reverse": batch.feeds.vertexFeatures.dims[0] * K,
  };
  for (const { name, of } of asked) {
    const index = batch.feeds[of].data;
    const valid = batch.valid[of];
    const readers = new Map<number, number[]>();
    index.forEach((row, slot) => {
      if (valid && valid[slot] === 0) return;
      readers.set(row, [...(readers.get(row) ?? []), slot]);
    });
    const { dims, data } = reversed[name];
    expect(dims[0], name).toBe(rowsOf[name as keyof typeof rowsOf]);
    for (let row = 0; row < dims[0]; row++) {
      const slots = [...data.subarray(row * dims[1], (row + 1) * dims[1])];
      const real = slots.filter((slot) => slot < index.length);
      expect(real, `${name} of row ${row}`).toEqual(readers.get(row) ?? []);
    }
  }
});

test("motion and tree terms: displacements of each vertex by its candidates, and the hierarchy of candidates", () => {
  const loss = { ...config.loss, motion: 1, tree: 1 };
  const { feeds } = batchFeeds(samples, { ...config, loss }, { vertex: 16 }, "seed");
  const [moves, subtree] = [feeds.moves, feeds.subtree].map(({ data }) => data as Float32Array);
  let start = 0;
  let moved = 0;
  for (const { input } of samples) {
    const { positions, parents } = input.skeleton;
    const V = input.mesh.positions.length / 3;
    for (let v = 0; v < V; v++) {
      for (let k = 0; k < K; k++) {
        const bone = input.distances.bones[v * input.distances.k + k];
        const pair = (start + v) * K + k;
        const root = parents[bone] < 0;
        const way = Math.hypot(...moves.subarray(pair * 3, pair * 3 + 3));
        // A root rotates about its own position and nothing else does, so distances to it stay.
        if (root) {
          const from = input.mesh.positions.subarray(v * 3, v * 3 + 3);
          const to = from.map((value, axis) => value + moves[pair * 3 + axis]);
          const pivot = positions.subarray(bone * 3, bone * 3 + 3);
          const away = (point: Float32Array) => Math.hypot(...point.map((x, i) => x - pivot[i]));
          expect(away(to)).toBeCloseTo(away(from), 4);
        }
        moved = Math.max(moved, way);
        for (let l = 0; l < K; l++) {
          let at = input.distances.bones[v * input.distances.k + l];
          while (at >= 0 && at !== bone) at = parents[at];
          expect(subtree[pair * K + l]).toBe(at === bone ? 1 : 0);
        }
      }
    }
    start += V;
  }
  expect(moved).toBeGreaterThan(0.01);
  expect(subtree.subarray(start * K * K).every((value) => value === 0)).toBe(true);
});
