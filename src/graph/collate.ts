import { joinArrays } from "../math/arrays.ts";
import type { Segments } from "./segments.ts";
import type { SkinGraph } from "./skin-graph.ts";

/**
 * Joins several graphs into one: nodes keep their order, indices are shifted, and no edge connects two
 * characters, so the result for each is the same as alone.
 */
export function collate(graphs: SkinGraph[]): SkinGraph {
  if (graphs.length === 0) throw new RangeError("collate: needs at least one graph, got 0.");
  const K = graphs[0].K;
  if (graphs.some((graph) => graph.K !== K)) {
    throw new RangeError("collate: all graphs must have the same K.");
  }
  const vertexStart = starts(graphs.map((graph) => graph.V));
  const boneStart = starts(graphs.map((graph) => graph.B));
  const shifted = (key: "ring" | "ball" | "boneRing" | "pairBone", by: number[]): Int32Array =>
    join(graphs.map((graph, i) => graph[key].map((item) => item + by[i])));
  return {
    V: graphs.reduce((sum, graph) => sum + graph.V, 0),
    B: graphs.reduce((sum, graph) => sum + graph.B, 0),
    K,
    vertexFeatures: join(graphs.map((graph) => graph.vertexFeatures)),
    boneFeatures: join(graphs.map((graph) => graph.boneFeatures)),
    pairFeatures: join(graphs.map((graph) => graph.pairFeatures)),
    pairBone: shifted("pairBone", boneStart),
    pairValid: join(graphs.map((graph) => graph.pairValid)),
    ring: shifted("ring", vertexStart),
    ball: shifted("ball", vertexStart),
    boneRing: shifted("boneRing", boneStart),
    bonePairs: joinSegments(graphs.map((graph) => graph.bonePairs)),
    partVertices: joinSegments(graphs.map((graph) => graph.partVertices)),
    characterParts: joinSegments(graphs.map((graph) => graph.characterParts)),
    characterBones: joinSegments(graphs.map((graph) => graph.characterBones)),
  };
}

/** Joins partitions of consecutive rows into one. */
export function joinSegments(list: Segments[]): Segments {
  const rowStart = starts(list.map((segments) => segments.rowChunk.length));
  const chunkStart = starts(list.map((segments) => segments.chunkGroup.length));
  const groupStart = starts(list.map((segments) => segments.groups));
  const longest = Math.max(...list.map(longestGroup));
  return {
    groups: list.reduce((sum, segments) => sum + segments.groups, 0),
    rowChunk: join(list.map((s, i) => s.rowChunk.map((chunk) => chunk + chunkStart[i]))),
    rowValid: join(list.map((s) => s.rowValid)),
    chunkRows: join(list.map((s, i) => s.chunkRows.map((row) => row + rowStart[i]))),
    chunkValid: join(list.map((s) => s.chunkValid)),
    chunkGroup: join(list.map((s, i) => s.chunkGroup.map((group) => group + groupStart[i]))),
    groupChunks: join(list.map((s, i) => widenTable(s.groupChunks, s, longest, chunkStart[i]))),
    groupValid: join(list.map((s) => widenTable(s.groupValid, s, longest, 0))),
    inverseCount: join(list.map((s) => s.inverseCount)),
  };
}

/** Returns the number of chunks of the longest group: the width R of the group lists. */
export function longestGroup(segments: Segments): number {
  return segments.groupChunks.length / segments.groups;
}

/** Copies a G×R table into one of G×longest, adding `shift` to each entry. */
export function widenTable<A extends Int32Array | Float32Array>(
  table: A,
  segments: Segments,
  longest: number,
  shift: number,
): A {
  const width = longestGroup(segments);
  const out = new (table.constructor as new (length: number) => A)(segments.groups * longest);
  if (shift !== 0) out.fill(shift);
  for (let group = 0; group < segments.groups; group++) {
    for (let slot = 0; slot < width; slot++) {
      out[group * longest + slot] = table[group * width + slot] + shift;
    }
  }
  return out;
}

function starts(counts: number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    const start = sum;
    sum += count;
    return start;
  });
}

function join<A extends Int32Array | Float32Array | Uint8Array>(arrays: A[]): A {
  return joinArrays(arrays[0].constructor as new (size: number) => A, arrays);
}
