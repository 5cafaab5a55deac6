import type { Segments } from "../graph/segments.ts";
import type { SkinGraph } from "../graph/skin-graph.ts";

/** A training step takes graphs whose number of vertices is a multiple of this. */
export const VERTEX_MULTIPLE = 64;

/**
 * Adds vertices that belong to no part, have no candidate bones and are nobody's neighbour, until
 * their number is a multiple of {@link VERTEX_MULTIPLE}; the others do not notice them.
 */
export function padVertices(graph: SkinGraph): SkinGraph {
  const V = Math.ceil(graph.V / VERTEX_MULTIPLE) * VERTEX_MULTIPLE;
  if (V === graph.V) return graph;
  const zeros = (table: Float32Array): Float32Array => {
    const out = new Float32Array((table.length / graph.V) * V);
    out.set(table);
    return out;
  };
  return {
    ...graph,
    V,
    vertexFeatures: zeros(graph.vertexFeatures),
    pairFeatures: zeros(graph.pairFeatures),
    pairValid: zeros(graph.pairValid),
    pairBone: longer(graph.pairBone, V * graph.K),
    ring: selfLists(graph.ring, graph.V, V),
    ball: selfLists(graph.ball, graph.V, V),
    bonePairs: longerRows(graph.bonePairs, V * graph.K),
    partVertices: longerRows(graph.partVertices, V),
  };
}

function longer(data: Int32Array, length: number): Int32Array {
  const out = new Int32Array(length);
  out.set(data);
  return out;
}

/** Neighbour lists in which each new vertex has itself alone. */
function selfLists(lists: Int32Array, from: number, to: number): Int32Array {
  const width = lists.length / from;
  const out = longer(lists, to * width);
  for (let v = from; v < to; v++) out.fill(v, v * width, (v + 1) * width);
  return out;
}

function longerRows(segments: Segments, rows: number): Segments {
  const rowValid = new Uint8Array(rows);
  rowValid.set(segments.rowValid);
  return { ...segments, rowChunk: longer(segments.rowChunk, rows), rowValid };
}
