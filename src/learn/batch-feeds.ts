import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { collate } from "../graph/collate.ts";
import { type FeedArray, graphFeeds, indexValidity } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { createRandom, type Random } from "../math/random.ts";
import { keptSlots, SMOOTH_NEIGHBORS } from "../network/step-state.ts";
import type { GraphSize } from "./epoch.ts";
import { padGraph } from "./pad-graph.ts";
import type { Sample } from "./sample.ts";

/** The arrays of a training step, and which index slots are valid. */
export interface BatchFeeds {
  feeds: Record<string, FeedArray>;
  valid: Record<string, Uint8Array>;
}

/**
 * Builds a batch: graphs, labels of the candidates, random masks.
 *
 * Every character has the same total weight, because scores are averaged over characters.
 *
 * @param dropoutWidths width of each dropout mask by name
 * @param size size of the padded batch (default: the next round sizes)
 */
export function batchFeeds(
  samples: Sample[],
  config: ModelConfig,
  dropoutWidths: Record<string, number>,
  seed: string,
  size?: GraphSize,
): BatchFeeds {
  const random = createRandom(seed);
  const graphs = samples.map((sample) => buildSkinGraph(sample.input, config.graph));
  const graph = padGraph(collate(graphs), size);
  const smooth = config.loss.smooth > 0 ? smoothLists(graph, random) : undefined;
  for (const name of ["ring", "ball"] as const) {
    const kept = keptSlots(graph[name].length / graph.V, config.edgeDropout);
    graph[name] = dropEdges(graph[name], graph.V, kept, random);
  }
  const feeds = graphFeeds(graph);
  Object.assign(feeds, targets(samples, graphs, graph));
  const valid = indexValidity(graph);
  if (smooth) {
    const dims = [graph.V, SMOOTH_NEIGHBORS, graph.K];
    feeds.smoothRows = { dims, data: smooth.rows };
    feeds.smoothValid = { dims, data: Float32Array.from(smooth.valid) };
    valid.smoothRows = smooth.valid;
  }
  for (const [name, width] of Object.entries(dropoutWidths)) {
    const rows = graph.characterParts.groups;
    feeds[`dropout.${name}`] = dropoutMask(rows, width, config.dropout, random);
  }
  return { feeds, valid };
}

/** Returns labels of the K candidates, each row summing to 1, and the weight of each vertex. */
function targets(
  samples: Sample[],
  graphs: SkinGraph[],
  { V, K }: SkinGraph,
): Record<string, FeedArray> {
  const labels = new Float32Array(V * K);
  const vertexWeight = new Float32Array(V);
  let vertex = 0;
  samples.forEach((sample, i) => {
    const slots = sample.input.distances.k;
    const total = sample.counts.reduce((sum, count) => sum + count, 0) || 1;
    for (let v = 0; v < graphs[i].V; v++, vertex++) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += sample.labels[v * slots + k];
      if (sum <= 0) continue;
      for (let k = 0; k < K; k++) labels[vertex * K + k] = sample.labels[v * slots + k] / sum;
      vertexWeight[vertex] = sample.counts[v] / total / samples.length;
    }
  });
  return {
    labels: { dims: [V, K], data: labels },
    vertexWeight: { dims: [V], data: vertexWeight },
  };
}

/** For some neighbors of each vertex, finds the neighbor's pair with the same bone. */
function smoothLists(graph: SkinGraph, random: Random): { rows: Int32Array; valid: Uint8Array } {
  const { V, K, ring, pairBone, pairValid } = graph;
  const S = SMOOTH_NEIGHBORS;
  const neighbors = dropEdges(ring, V, S, random);
  const rows = new Int32Array(V * S * K);
  const valid = new Uint8Array(V * S * K);
  for (let v = 0; v < V; v++) {
    for (let s = 0; s < S; s++) {
      const other = neighbors[v * S + s];
      for (let k = 0; k < K; k++) {
        if (pairValid[v * K + k] === 0) continue;
        const bone = pairBone[v * K + k];
        for (let q = other * K; q < other * K + K; q++) {
          if (pairBone[q] !== bone || pairValid[q] === 0) continue;
          rows[(v * S + s) * K + k] = q;
          valid[(v * S + s) * K + k] = 1;
          break;
        }
      }
    }
  }
  return { rows, valid };
}

/** One row per character: 0 with the given probability, else scaled to keep the expectation. */
function dropoutMask(rows: number, width: number, share: number, random: Random): FeedArray {
  const data = new Float32Array(rows * width);
  for (let i = 0; i < data.length; i++) data[i] = random() < share ? 0 : 1 / (1 - share);
  return { dims: [rows, width], data };
}

/** Maximum slots per vertex, which bounds the work of the backward pass at poles of the mesh. */
export const MAX_READERS = 24;

/**
 * Edge dropout: keeps a random choice of each row's entries; a vertex with too many readers is
 * replaced by the row's own vertex.
 *
 * @param lists V×width
 * @returns V×kept
 */
export function dropEdges(lists: Int32Array, V: number, kept: number, random: Random): Int32Array {
  const width = lists.length / V;
  const out = new Int32Array(V * kept);
  const readers = new Int32Array(V);
  const row = new Int32Array(width);
  for (let v = 0; v < V; v++) {
    row.set(lists.subarray(v * width, (v + 1) * width));
    for (let slot = 0; slot < kept; slot++) {
      const pick = slot + Math.floor(random() * (width - slot));
      const entry = row[pick];
      row[pick] = row[slot];
      const chosen = readers[entry] < MAX_READERS ? entry : v;
      readers[chosen]++;
      out[v * kept + slot] = chosen;
    }
  }
  return out;
}
