import { longestGroup, widenTable } from "../graph/collate.ts";
import { CHUNK, type Segments } from "../graph/segments.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";
import { FEW, FEWEST, MANY, roundSize } from "../math/arrays.ts";
import type { GraphSize } from "./epoch.ts";

/** Vertex counts of a training step are multiples of this. */
export const VERTEX_MULTIPLE = 64;

/**
 * Minimum length of chunk lists in graphs of a fixed size, so that nearly all share one length.
 */
const MIN_LONGEST = 16;

/**
 * Pads all sizes of a graph to round numbers, so that consecutive steps reuse buffers.
 *
 * Padding belongs to no part and no character, has no candidate bones and no neighbors, so it does
 * not affect the rest.
 *
 * @param size minimum size (default: the next round numbers)
 */
export function padGraph(graph: SkinGraph, size?: GraphSize): SkinGraph {
  const wanted = size ? Math.max(size.vertices, graph.V) : roundSize(graph.V, MANY);
  const V = Math.ceil(wanted / VERTEX_MULTIPLE) * VERTEX_MULTIPLE;
  const B = size ? Math.max(size.joints, graph.B) : roundSize(graph.B, FEW);
  const parts = graph.partVertices.groups;
  const P = size ? Math.max(size.parts, parts) : roundSize(parts, FEW);
  const G = Math.max(size?.characters ?? 0, graph.characterParts.groups);
  const vertexTable = (table: Float32Array): Float32Array =>
    longer(table, (table.length / graph.V) * V);
  return {
    ...graph,
    V,
    B,
    vertexFeatures: vertexTable(graph.vertexFeatures),
    boneFeatures: longer(graph.boneFeatures, (graph.boneFeatures.length / graph.B) * B),
    pairFeatures: vertexTable(graph.pairFeatures),
    pairValid: vertexTable(graph.pairValid),
    pairBone: longer(graph.pairBone, V * graph.K),
    ring: selfLists(graph.ring, graph.V, V),
    ball: selfLists(graph.ball, graph.V, V),
    boneRing: selfLists(graph.boneRing, graph.B, B),
    bonePairs: padSegments(graph.bonePairs, V * graph.K, B, size !== undefined),
    partVertices: padSegments(graph.partVertices, V, P, size !== undefined),
    characterParts: padSegments(graph.characterParts, P, G, size !== undefined),
    characterBones: padSegments(graph.characterBones, B, G, size !== undefined),
  };
}

/**
 * Adds rows without a group, empty groups, empty chunks and empty slots.
 *
 * @param isFixed whether to allocate the chunks that any partition of these rows and groups may
 *   need
 */
function padSegments(segments: Segments, rows: number, groups: number, isFixed: boolean): Segments {
  const chunks = isFixed
    ? Math.ceil(rows / CHUNK) + groups
    : roundSize(segments.chunkGroup.length, MANY);
  const longest = isFixed
    ? roundSize(Math.max(MIN_LONGEST, longestGroup(segments)), FEWEST)
    : roundSize(longestGroup(segments), FEW);
  const wide = <A extends Int32Array | Float32Array>(table: A): A =>
    longer(widenTable(table, segments, longest, 0), groups * longest);
  return {
    groups,
    rowChunk: longer(segments.rowChunk, rows),
    rowValid: longer(segments.rowValid, rows),
    chunkRows: longer(segments.chunkRows, chunks * CHUNK),
    chunkValid: longer(segments.chunkValid, chunks * CHUNK),
    chunkGroup: longer(segments.chunkGroup, chunks),
    groupChunks: wide(segments.groupChunks),
    groupValid: wide(segments.groupValid),
    inverseCount: longer(segments.inverseCount, groups),
  };
}

function longer<A extends Int32Array | Float32Array | Uint8Array>(data: A, length: number): A {
  const out = new (data.constructor as new (length: number) => A)(length);
  out.set(data);
  return out;
}

/** Extends neighbor lists; each new node is its own neighbor. */
function selfLists(lists: Int32Array, from: number, to: number): Int32Array {
  const width = lists.length / from;
  const out = longer(lists, to * width);
  for (let node = from; node < to; node++) out.fill(node, node * width, (node + 1) * width);
  return out;
}
