import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { collate } from "../graph/collate.ts";
import { type FeedArray, graphFeeds, indexValidity } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { createRandom, type Random } from "../math/random.ts";
import { keptSlots, SMOOTH_NEIGHBORS } from "../network/step-state.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
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
  const feeds = graphFeeds(graph, config.graph);
  Object.assign(feeds, targets(samples, graphs, graph));
  const valid = indexValidity(graph);
  if (smooth) {
    const dims = [graph.V, SMOOTH_NEIGHBORS, graph.K];
    feeds.smoothRows = { dims, data: smooth.rows };
    feeds.smoothValid = { dims, data: Float32Array.from(smooth.valid) };
    valid.smoothRows = smooth.valid;
  }
  if (config.loss.motion) {
    feeds.moves = { dims: [graph.V, graph.K, 3], data: moves(samples, graphs, graph, random) };
  }
  if (config.loss.tree) {
    const dims = [graph.V, graph.K, graph.K];
    feeds.subtree = { dims, data: subtrees(samples, graphs, graph) };
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
    const { pairSlot } = graphs[i];
    const label = (v: number, k: number): number => {
      const slot = pairSlot ? pairSlot[v * K + k] : k;
      return slot < 0 ? 0 : sample.labels[v * slots + slot];
    };
    for (let v = 0; v < graphs[i].V; v++, vertex++) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += label(v, k);
      if (sum <= 0) continue;
      for (let k = 0; k < K; k++) labels[vertex * K + k] = label(v, k) / sum;
      vertexWeight[vertex] = sample.counts[v] / total / samples.length;
    }
  });
  return {
    labels: { dims: [V, K], data: labels },
    vertexWeight: { dims: [V], data: vertexWeight },
  };
}

/** Where each candidate alone would move its vertex, in one random pose a sample: (V·K)×3. */
function moves(
  samples: Sample[],
  graphs: SkinGraph[],
  { V, K }: SkinGraph,
  random: Random,
): Float32Array {
  const out = new Float32Array(V * K * 3);
  let o = 0;
  samples.forEach(({ input: { mesh, skeleton } }, i) => {
    const matrices = forwardKinematics(skeleton, randomPose(skeleton, random));
    const { pairBone, pairValid } = graphs[i];
    for (let pair = 0; pair < pairBone.length; pair++, o += 3) {
      if (pairValid[pair] === 0) continue;
      const at = Math.floor(pair / K) * 3;
      const m = pairBone[pair] * 16;
      for (let axis = 0; axis < 3; axis++) {
        let to = matrices[m + 12 + axis] - mesh.positions[at + axis];
        for (let from = 0; from < 3; from++) {
          to += matrices[m + from * 4 + axis] * mesh.positions[at + from];
        }
        out[o + axis] = to;
      }
    }
  });
  return out;
}

/** For each two candidates of a vertex, whether the second is at or below the first in the skeleton: V×K×K. */
function subtrees(samples: Sample[], graphs: SkinGraph[], { V, K }: SkinGraph): Float32Array {
  const out = new Float32Array(V * K * K);
  let o = 0;
  samples.forEach(({ input: { skeleton } }, i) => {
    const { parents } = skeleton;
    const B = parents.length;
    const below = new Uint8Array(B * B);
    for (let bone = 0; bone < B; bone++) {
      for (let at = bone, steps = 0; at >= 0 && steps <= B; at = parents[at], steps++) {
        below[at * B + bone] = 1;
      }
    }
    const { pairBone, pairValid } = graphs[i];
    for (let pair = 0; pair < pairBone.length; pair++) {
      const first = pair - (pair % K);
      for (let other = first; other < first + K; other++, o++) {
        if (pairValid[pair] === 0 || pairValid[other] === 0) continue;
        out[o] = below[pairBone[pair] * B + pairBone[other]];
      }
    }
  });
  return out;
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
