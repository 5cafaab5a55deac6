import {
  add,
  max,
  maximum,
  mul,
  reshape,
  slice,
  square,
  sub,
  sum,
  type Tensor,
  take,
} from "./ops.ts";

/** The tensors of one partition; see Segments in src/graph/segments.ts for the shapes. */
export interface SegmentTensors {
  rowChunk: Tensor;
  chunkRows: Tensor;
  chunkValid: Tensor;
  chunkGroup: Tensor;
  groupChunks: Tensor;
  groupValid: Tensor;
  inverseCount: Tensor;
  /** Slots of a chunk that are pooled at once, a divisor of CHUNK; all of them where not given. */
  slotsAtOnce?: number;
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
 * All slots at once makes three tensors of N rows; a few at a time bounds the memory of large
 * graphs, at the price of more operations.
 *
 * @param x N×F
 */
export function poolSegments(x: Tensor, segments: SegmentTensors): Pooled {
  const slots = segments.chunkRows.shape[1];
  const atOnce = segments.slotsAtOnce ?? slots;
  let chunks = poolSlots(x, segments, 0, atOnce);
  for (let slot = atOnce; slot < slots; slot += atOnce) {
    const more = poolSlots(x, segments, slot, slot + atOnce);
    chunks = {
      sum: add(chunks.sum, more.sum),
      power: add(chunks.power, more.power),
      max: maximum(chunks.max, more.max),
    };
  }
  const mean = sumChunks(chunks.sum, segments);
  const power = sumChunks(chunks.power, segments);
  return { max: maxChunks(chunks.max, segments), mean, variance: sub(power, square(mean)) };
}

/** Sum, sum of squares and maximum over the slots `from` .. `to - 1` of each chunk; C×F each. */
function poolSlots(
  x: Tensor,
  segments: SegmentTensors,
  from: number,
  to: number,
): { sum: Tensor; power: Tensor; max: Tensor } {
  const valid = slice(segments.chunkValid, from, to);
  const rows = take(x, slice(segments.chunkRows, from, to));
  const present = mul(rows, lastAxis(valid));
  return {
    sum: sum(present, 1),
    power: sum(square(present), 1),
    max: max(add(rows, absence(valid)), 1),
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
