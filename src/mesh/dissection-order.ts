import { type Lists, listsOf } from "../math/arrays.ts";
import type { Components } from "./adjacency.ts";

/** Smaller parts are not cut further: their fill does not matter. */
const LEAF = 12;

/** Minimum fraction of the vertices on the smaller side of a cut. */
const SMALLEST_SIDE = 0.35;

/** A vertex with more edges across a cut joins the separator; otherwise it would add all its neighbors. */
const HUB = 8;

const LOWER = 0;
const UPPER = 1;
const SEPARATOR = 2;

/** An order of vertices with little fill-in in a sparse factorization. */
export interface DissectionOrder {
  /** V, the vertices, grouped by connected component. */
  order: Int32Array;
  /** C+1, the start of each component in `order`. */
  starts: Int32Array;
}

/**
 * Nested dissection by coordinates: a component is cut across its longest axis where the fewest edges cross,
 * both halves are ordered recursively, and the vertices along the cut come last.
 *
 * Based on: George. Nested dissection of a regular finite element mesh. 1973.
 *
 * @param positions V×3
 */
export function dissectionOrder(
  positions: Float32Array,
  neighbors: Lists,
  parts: Components,
): DissectionOrder {
  const { items: order, starts } = listsOf(parts.component, parts.count);
  const dissect = createDissector(positions, neighbors, order);
  for (let part = 0; part < parts.count; part++) dissect(starts[part], starts[part + 1]);
  return { order, starts };
}

/** Orders a range of `order` in place. */
function createDissector(
  positions: Float32Array,
  { starts, items }: Lists,
  order: Int32Array,
): (from: number, to: number) => void {
  const rank = new Int32Array(order.length).fill(-1);
  const sides = new Uint8Array(order.length);
  const scratch = new Int32Array(order.length);
  const sortAlong = createSorter(positions, order);
  const dissect = (from: number, to: number): void => {
    if (to - from <= LEAF) return;
    sortAlong(longestAxis(positions, order, from, to)[0], from, to);
    for (let i = from; i < to; i++) rank[order[i]] = i;
    const cut = cheapestCut(from, to);
    separate(from, cut, to);
    scratch.set(order.subarray(from, to), from);
    let end = from;
    const ends = [0, 1, 2].map((side) => {
      for (let i = from; i < to; i++) if (sides[scratch[i]] === side) order[end++] = scratch[i];
      return end;
    });
    for (let i = from; i < to; i++) rank[order[i]] = -1;
    dissect(from, ends[LOWER]);
    dissect(ends[LOWER], ends[UPPER]);
  };
  /** Assigns each vertex to a side, so that no edge joins the lower to the upper side. */
  const separate = (from: number, cut: number, to: number): void => {
    for (let i = from; i < to; i++) sides[order[i]] = i < cut ? LOWER : UPPER;
    let hubs = 0;
    for (let i = from; i < to; i++) scratch[i] = crossings(order[i], from, cut, to);
    for (let i = from; i < to; i++) {
      if (scratch[i] <= HUB) continue;
      sides[order[i]] = SEPARATOR;
      hubs++;
    }
    // Without its hubs, fewer edges cross the cut.
    for (let i = from; hubs > 0 && i < to; i++) scratch[i] = crossings(order[i], from, cut, to);
    // Either row of vertices along the cut separates: take the shorter one.
    const along = [0, 0];
    for (let i = from; i < to; i++) {
      const side = sides[order[i]];
      if (side !== SEPARATOR && scratch[i] > 0) along[side]++;
    }
    const shorter = along[LOWER] < along[UPPER] ? LOWER : UPPER;
    for (let i = from; i < to; i++) {
      const v = order[i];
      if (sides[v] === shorter && scratch[i] > 0) sides[v] = SEPARATOR;
    }
  };
  /** Counts the neighbors of a vertex across the cut that are not separators. */
  const crossings = (v: number, from: number, cut: number, to: number): number => {
    const below = rank[v] < cut;
    let count = 0;
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      const other = rank[items[e]];
      if (other < from || other >= to || other < cut === below) continue;
      if (sides[items[e]] !== SEPARATOR) count++;
    }
    return count;
  };
  /** Index in the sorted range with the fewest edges across, not too far from the middle. */
  const cheapestCut = (from: number, to: number): number => {
    const first = from + Math.ceil((to - from) * SMALLEST_SIDE);
    const last = to - Math.ceil((to - from) * SMALLEST_SIDE);
    let crossing = 0;
    let best = Number.POSITIVE_INFINITY;
    let cut = (from + to) >> 1;
    for (let i = from; i < last; i++) {
      const v = order[i];
      for (let e = starts[v]; e < starts[v + 1]; e++) {
        const other = rank[items[e]];
        if (other >= from && other < to) crossing += other > i ? 1 : -1;
      }
      if (i + 1 < first || crossing >= best) continue;
      best = crossing;
      cut = i + 1;
    }
    return cut;
  };
  return dissect;
}

/** Maximum vertices for packed sorting: 53 bits of a double minus 32. */
const MAX_PACKED = 2 ** 21;
/** Sorts ranges of `order` by the vertices' coordinate along an axis, ties by index. */
function createSorter(
  positions: Float32Array,
  order: Int32Array,
): (axis: number, from: number, to: number) => void {
  if (positions.length / 3 > MAX_PACKED) {
    return (axis, from, to) => {
      const compare = (a: number, b: number): number =>
        positions[a * 3 + axis] - positions[b * 3 + axis] || a - b;
      order.subarray(from, to).sort(compare);
    };
  }
  // Coordinate and index packed into one double sort natively, several times faster than a comparator.
  const packed = new Float64Array(order.length);
  const value = new Float32Array(1);
  const bits = new Uint32Array(value.buffer);
  return (axis, from, to) => {
    for (let i = from; i < to; i++) {
      // Adding 0 turns -0 into 0. The bits of positive floats rise with them, of negative ones fall.
      value[0] = positions[order[i] * 3 + axis] + 0;
      const rising = bits[0] >= 2 ** 31 ? 2 ** 32 - 1 - bits[0] : bits[0] + 2 ** 31;
      packed[i] = rising * MAX_PACKED + order[i];
    }
    packed.subarray(from, to).sort();
    for (let i = from; i < to; i++) order[i] = packed[i] % MAX_PACKED;
  };
}

/**
 * Returns the axis of the largest extent of some points, and the center along it.
 *
 * @param points N×3
 * @param order indices of the points, from `start` to before `end`
 */
export function longestAxis(
  points: Float32Array,
  order: Int32Array,
  start: number,
  end: number,
): [axis: number, middle: number] {
  let best: [number, number] = [0, 0];
  let longest = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = start; i < end; i++) {
      const value = points[order[i] * 3 + axis];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > longest) {
      longest = high - low;
      best = [axis, (low + high) / 2];
    }
  }
  return best;
}
