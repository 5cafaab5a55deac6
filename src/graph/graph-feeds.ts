import type { FeatureWidths } from "./build-skin-graph.ts";
import { pairRing } from "./pair-ring.ts";
import { CHUNK, type Segments } from "./segments.ts";
import { BONE_NEIGHBORS, type GraphConfig, type SkinGraph } from "./skin-graph.ts";

/** Shape and type of a named input; strings are sizes that differ between graphs. */
export interface InputSpec {
  dtype: "float32" | "int32";
  shape: (number | string)[];
}

/** The four partitions, and the names of their sizes: groups, chunks, chunks per group. */
const PARTITIONS = {
  bonePairs: { groups: "B", chunks: "C", longest: "R", rows: ["V", "K"] },
  partVertices: { groups: "P", chunks: "D", longest: "S", rows: ["V"] },
  characterParts: { groups: "G", chunks: "E", longest: "T", rows: ["P"] },
  characterBones: { groups: "G", chunks: "H", longest: "U", rows: ["B"] },
} as const;

type PartitionName = keyof typeof PARTITIONS;
const PARTITION_NAMES = Object.keys(PARTITIONS) as PartitionName[];

/** Returns the inputs of a network over graphs of this configuration. */
export function graphInputs(config: GraphConfig, widths: FeatureWidths): Record<string, InputSpec> {
  const inputs: Record<string, InputSpec> = {
    vertexFeatures: { dtype: "float32", shape: ["V", widths.vertex] },
    boneFeatures: { dtype: "float32", shape: ["B", widths.bone] },
    pairValid: { dtype: "float32", shape: ["V", config.k] },
    ring: { dtype: "int32", shape: ["V", config.ring] },
    ball: { dtype: "int32", shape: ["V", config.ball] },
    boneRing: { dtype: "int32", shape: ["B", BONE_NEIGHBORS] },
  };
  if (widths.pair > 0) {
    inputs.pairFeatures = { dtype: "float32", shape: ["V", config.k, widths.pair] };
  }
  if (config.pairRing) {
    inputs.pairRing = {
      dtype: "int32",
      shape: ["V", config.k, Math.min(config.pairRing, config.ring)],
    };
    inputs.pairShared = { dtype: "float32", shape: ["V", config.k] };
  }
  for (const name of PARTITION_NAMES) {
    const { groups, chunks, longest, rows } = PARTITIONS[name];
    const rowShape = rows.map((side) => (side === "K" ? config.k : side));
    inputs[`${name}.rowChunk`] = { dtype: "int32", shape: rowShape };
    inputs[`${name}.chunkRows`] = { dtype: "int32", shape: [chunks, CHUNK] };
    inputs[`${name}.chunkValid`] = { dtype: "float32", shape: [chunks, CHUNK] };
    inputs[`${name}.chunkGroup`] = { dtype: "int32", shape: [chunks] };
    inputs[`${name}.groupChunks`] = { dtype: "int32", shape: [groups, longest] };
    inputs[`${name}.groupValid`] = { dtype: "float32", shape: [groups, longest] };
    inputs[`${name}.inverseCount`] = { dtype: "float32", shape: [groups] };
  }
  return inputs;
}

/** Data of a named input. */
export interface FeedArray {
  dims: number[];
  data: Float32Array | Int32Array;
}

/**
 * Returns the arrays to feed for a graph, by input name.
 *
 * @param config along how many slots the network compares the pairs of neighbors; default none
 */
export function graphFeeds(
  graph: SkinGraph,
  config: Pick<GraphConfig, "pairRing"> = {},
): Record<string, FeedArray> {
  const { V, B, K } = graph;
  const feeds: Record<string, FeedArray> = {
    vertexFeatures: table(graph.vertexFeatures, V),
    boneFeatures: table(graph.boneFeatures, B),
    pairValid: table(graph.pairValid, V),
    ring: table(graph.ring, V),
    ball: table(graph.ball, V),
    boneRing: table(graph.boneRing, B),
  };
  if (graph.pairFeatures.length > 0) {
    const width = graph.pairFeatures.length / (V * K);
    feeds.pairFeatures = { dims: [V, K, width], data: graph.pairFeatures };
  }
  if (config.pairRing) {
    const { rows, shared } = pairRing(graph, config.pairRing);
    feeds.pairRing = { dims: [V, K, rows.length / (V * K)], data: rows };
    feeds.pairShared = table(shared, V);
  }
  for (const name of PARTITION_NAMES) {
    Object.assign(feeds, segmentFeeds(name, graph[name], name === "bonePairs" ? [V, K] : null));
  }
  return feeds;
}

/**
 * Returns the valid slots of each index input, 1 or 0; inputs that are not listed are all valid.
 *
 * The network masks the other slots, so no gradient flows through them.
 */
export function indexValidity(graph: SkinGraph): Record<string, Uint8Array> {
  const valid: Record<string, Uint8Array> = {};
  for (const name of PARTITION_NAMES) {
    const segments = graph[name];
    valid[`${name}.rowChunk`] = segments.rowValid;
    valid[`${name}.chunkRows`] = Uint8Array.from(segments.chunkValid);
    valid[`${name}.chunkGroup`] = Uint8Array.from(segments.chunkGroup, (_, chunk) =>
      segments.chunkValid[chunk * CHUNK] > 0 ? 1 : 0,
    );
    valid[`${name}.groupChunks`] = Uint8Array.from(segments.groupValid);
  }
  return valid;
}

function table(data: Float32Array | Int32Array, rows: number): FeedArray {
  return { dims: [rows, data.length / rows], data };
}

function segmentFeeds(name: string, segments: Segments, rowDims: number[] | null) {
  const chunks = segments.chunkGroup.length;
  return {
    [`${name}.rowChunk`]: { dims: rowDims ?? [segments.rowChunk.length], data: segments.rowChunk },
    [`${name}.chunkRows`]: table(segments.chunkRows, chunks),
    [`${name}.chunkValid`]: table(segments.chunkValid, chunks),
    [`${name}.chunkGroup`]: { dims: [chunks], data: segments.chunkGroup },
    [`${name}.groupChunks`]: table(segments.groupChunks, segments.groups),
    [`${name}.groupValid`]: table(segments.groupValid, segments.groups),
    [`${name}.inverseCount`]: { dims: [segments.groups], data: segments.inverseCount },
  };
}
