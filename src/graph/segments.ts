/** Rows per chunk of {@link Segments}. */
export const CHUNK = 32;

/**
 * A partition of N rows into G groups, cut into chunks of at most CHUNK rows.
 *
 * A group may have one row or fifty thousand. Two padded gathers (rows to chunks, chunks to groups) pool any
 * such partition with dense, deterministic operations, and the same lists in reverse broadcast a group's value
 * to its rows; so neither direction needs a scatter, which is racy on CPU and slow elsewhere.
 */
export interface Segments {
  /** Number of groups G; a group may be empty. */
  groups: number;
  /** N, the chunk of each row; 0 for a row in no group. */
  rowChunk: Int32Array;
  /** N, 1 for a row in a group, 0 for one in none. */
  rowValid: Uint8Array;
  /** C×CHUNK rows of each chunk; an empty slot repeats the first. */
  chunkRows: Int32Array;
  /** C×CHUNK, 1 for a row, 0 for an empty slot. */
  chunkValid: Float32Array;
  /** C, the group of each chunk. */
  chunkGroup: Int32Array;
  /** G×R chunks of each group; 0 in an empty slot. */
  groupChunks: Int32Array;
  /** G×R, 1 for a chunk, 0 for an empty slot. */
  groupValid: Float32Array;
  /** G, 1 / rows of the group; 0 for an empty group. */
  inverseCount: Float32Array;
}

/**
 * Cuts a partition into chunks.
 *
 * @param group N, the group of each row, -1 for a row in none
 * @param groups number of groups G
 */
export function buildSegments(group: Int32Array, groups: number): Segments {
  const counts = new Int32Array(groups);
  for (const g of group) if (g >= 0) counts[g]++;
  const firstChunk = new Int32Array(groups + 1);
  let longest = 1;
  for (let g = 0; g < groups; g++) {
    const chunks = Math.ceil(counts[g] / CHUNK);
    firstChunk[g + 1] = firstChunk[g] + chunks;
    longest = Math.max(longest, chunks);
  }
  // A graph without rows still has one (empty) chunk: no tensor may have a zero dimension.
  const chunkCount = Math.max(1, firstChunk[groups]);
  const segments: Segments = {
    groups,
    rowChunk: new Int32Array(group.length),
    rowValid: new Uint8Array(group.length),
    chunkRows: new Int32Array(chunkCount * CHUNK),
    chunkValid: new Float32Array(chunkCount * CHUNK),
    chunkGroup: new Int32Array(chunkCount),
    groupChunks: new Int32Array(groups * longest),
    groupValid: new Float32Array(groups * longest),
    inverseCount: Float32Array.from(counts, (count) => (count > 0 ? 1 / count : 0)),
  };
  fillRows(segments, group, firstChunk);
  fillGroups(segments, firstChunk, longest);
  return segments;
}

function fillRows(segments: Segments, group: Int32Array, firstChunk: Int32Array): void {
  const filled = new Int32Array(segments.groups);
  for (let row = 0; row < group.length; row++) {
    const g = group[row];
    if (g < 0) continue;
    const slot = firstChunk[g] * CHUNK + filled[g]++;
    if (slot % CHUNK === 0) segments.chunkRows.fill(row, slot, slot + CHUNK);
    segments.chunkRows[slot] = row;
    segments.chunkValid[slot] = 1;
    segments.rowChunk[row] = Math.floor(slot / CHUNK);
    segments.rowValid[row] = 1;
  }
}

function fillGroups(segments: Segments, firstChunk: Int32Array, longest: number): void {
  for (let g = 0; g < segments.groups; g++) {
    for (let chunk = firstChunk[g]; chunk < firstChunk[g + 1]; chunk++) {
      const slot = g * longest + chunk - firstChunk[g];
      segments.groupChunks[slot] = chunk;
      segments.groupValid[slot] = 1;
      segments.chunkGroup[chunk] = g;
    }
  }
}
