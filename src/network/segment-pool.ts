import {
  add,
  broadcast,
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
  widthOf,
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
  /**
   * Slots of a chunk that are pooled at once, a divisor of CHUNK; default all. If set, empty slots count as
   * the row they repeat and are subtracted afterwards: faster, but not for gradients.
   */
  slotsAtOnce?: number;
  /** Whether all rows are one group, as the parts and bones of one character at inference. */
  isWhole?: boolean;
}

/** Statistics of each group's rows, G×F; zero for an empty group. */
export interface Pooled {
  max: Tensor;
  mean: Tensor;
  variance: Tensor;
}

/** Excludes an empty slot from a maximum. */
const NEVER = 1e30;

/**
 * Pools the rows of each group, in two steps: rows to chunks, chunks to groups.
 *
 * All slots at once creates three tensors of N rows; a few at a time limits the memory of large graphs.
 *
 * @param x N×F
 */
export function poolSegments(x: Tensor, segments: SegmentTensors): Pooled {
  if (segments.isWhole) return poolWhole(x, segments.inverseCount);
  const chunks = segments.slotsAtOnce ? poolRepeated(x, segments) : poolMasked(x, segments);
  const mean = sumChunks(chunks.sum, segments);
  const power = sumChunks(chunks.power, segments);
  return { max: maxChunks(chunks.max, segments), mean, variance: sub(power, square(mean)) };
}

function poolWhole(x: Tensor, inverseCount: Tensor): Pooled {
  const row = (values: Tensor): Tensor => reshape(values, [1, widthOf(x)]);
  // A sum over the single group, which works at any traced number of groups.
  const inverse = sum(inverseCount);
  const mean = row(mul(sum(x, 0), inverse));
  const power = row(mul(sum(square(x), 0), inverse));
  return { max: row(max(x, 0)), mean, variance: sub(power, square(mean)) };
}

/** Sum, sum of squares and maximum over the slots of each chunk; C×F each. */
type PooledChunks = Record<"sum" | "power" | "max", Tensor>;

function poolMasked(x: Tensor, { chunkRows, chunkValid }: SegmentTensors): PooledChunks {
  const rows = take(x, chunkRows);
  const present = mul(rows, lastAxis(chunkValid));
  return {
    sum: sum(present, 1),
    power: sum(square(present), 1),
    max: max(add(rows, absence(chunkValid)), 1),
  };
}

/** The same, a few slots at a time, if an empty slot repeats the first row of its chunk. */
function poolRepeated(x: Tensor, { chunkRows, chunkValid, slotsAtOnce }: SegmentTensors) {
  const [C, slots] = chunkRows.shape;
  const parts: PooledChunks[] = [];
  for (let slot = 0; slot < slots; slot += slotsAtOnce!) {
    const rows = take(x, slice(chunkRows, slot, slot + slotsAtOnce!));
    parts.push({ sum: sum(rows, 1), power: sum(square(rows), 1), max: max(rows, 1) });
  }
  const all = parts.reduce((chunks, more) => ({
    sum: add(chunks.sum, more.sum),
    power: add(chunks.power, more.power),
    max: maximum(chunks.max, more.max),
  }));
  const first = reshape(take(x, slice(chunkRows, 0, 1)), [C, widthOf(x)]);
  const empty = lastAxis(sub(slots, sum(chunkValid, 1)));
  return {
    sum: sub(all.sum, mul(first, empty)),
    power: sub(all.power, mul(square(first), empty)),
    max: all.max,
  };
}

/** Broadcasts the value of each group to its rows: G×F to (shape of rowChunk)×F. */
export function spreadSegments(x: Tensor, segments: SegmentTensors): Tensor {
  const { isWhole, rowChunk } = segments;
  if (isWhole) return broadcast(x, [...rowChunk.shape, widthOf(x)]);
  return take(take(x, segments.chunkGroup), segments.rowChunk);
}

/** Returns 0 if valid, else -NEVER, with a last axis to broadcast over features. */
export function absence(valid: Tensor): Tensor {
  return mul(sub(lastAxis(valid), 1), NEVER);
}

/** Appends an axis of length 1. */
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
