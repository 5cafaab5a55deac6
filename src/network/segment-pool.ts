import { add, max, mul, reshape, slice, square, sub, sum, type Tensor, take } from "./ops.ts";

/** The tensors of one partition; see Segments in src/graph/segments.ts for the shapes. */
export interface SegmentTensors {
  rowChunk: Tensor;
  chunkRows: Tensor;
  chunkValid: Tensor;
  chunkGroup: Tensor;
  groupChunks: Tensor;
  groupValid: Tensor;
  inverseCount: Tensor;
}

/** Statistics of each group's rows, G×F; zero for an empty group. */
export interface Pooled {
  max: Tensor;
  mean: Tensor;
  variance: Tensor;
}

/** What takes an empty slot out of a maximum. */
const NEVER = 1e30;

/**
 * Pools the rows of each group, in two steps: rows to chunks, chunks to groups.
 *
 * @param x N×F
 */
export function poolSegments(x: Tensor, segments: SegmentTensors): Pooled {
  const rows = take(x, segments.chunkRows);
  const present = mul(rows, lastAxis(segments.chunkValid));
  const mean = sumChunks(sum(present, 1), segments);
  const power = sumChunks(sum(square(present), 1), segments);
  return {
    max: maxChunks(max(add(rows, absence(segments.chunkValid)), 1), segments),
    mean,
    variance: sub(power, square(mean)),
  };
}

/** Gives each row the value of its group: G×F to (shape of rowChunk)×F. */
export function spreadSegments(x: Tensor, segments: SegmentTensors): Tensor {
  return take(take(x, segments.chunkGroup), segments.rowChunk);
}

/** 0 where valid, -NEVER where not, with a last axis to broadcast over features. */
export function absence(valid: Tensor): Tensor {
  return mul(sub(lastAxis(valid), 1), NEVER);
}

/** Adds an axis of length 1 at the end. */
export function lastAxis(x: Tensor): Tensor {
  return reshape(x, [...x.shape, 1]);
}

function sumChunks(chunks: Tensor, segments: SegmentTensors): Tensor {
  const present = mul(take(chunks, segments.groupChunks), lastAxis(segments.groupValid));
  return mul(sum(present, 1), lastAxis(segments.inverseCount));
}

function maxChunks(chunks: Tensor, segments: SegmentTensors): Tensor {
  const highest = max(add(take(chunks, segments.groupChunks), absence(segments.groupValid)), 1);
  // The first slot of a group is valid unless the group is empty.
  return mul(highest, slice(segments.groupValid, 0, 1));
}
