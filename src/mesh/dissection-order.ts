import { type Lists, listsOf } from "../math/arrays.ts";
import type { Components } from "./adjacency.ts";

/** Below this many vertices a part is not cut further: its fill no longer matters. */
const LEAF = 12;

/** A cut may leave this share of the vertices on its smaller side. */
const SMALLEST_SIDE = 0.35;

/**
 * A vertex with more edges than this across a cut goes into the separator by itself: the tip of a
 * cone on one side would otherwise drag the whole rim of the other side in.
 */
const HUB = 8;

/** Where a cut puts a vertex. */
const LOWER = 0;
const UPPER = 1;
const SEPARATOR = 2;

/** An order in which a sparse factorisation of a surface's matrix fills in little. */
export interface DissectionOrder {
  /** V, the vertices, one connected part after the other. */
  order: Int32Array;
  /** C+1, where each part begins in `order`. */
  starts: Int32Array;
}

/**
 * Nested dissection by coordinates: a part is cut across its longest axis where the fewest edges
 * cross, both halves are ordered alike, and the vertices along the cut come last.
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
  const place = new Uint8Array(order.length);
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
      for (let i = from; i < to; i++) if (place[scratch[i]] === side) order[end++] = scratch[i];
      return end;
    });
    for (let i = from; i < to; i++) rank[order[i]] = -1;
    dissect(from, ends[LOWER]);
    dissect(ends[LOWER], ends[UPPER]);
  };
  /** Gives each vertex its place, so that no edge joins the lower to the upper side. */
  const separate = (from: number, cut: number, to: number): void => {
    for (let i = from; i < to; i++) place[order[i]] = i < cut ? LOWER : UPPER;
    for (let i = from; i < to; i++) {
      if (crossings(order[i], from, cut, to) > HUB) scratch[i] = 1;
      else scratch[i] = 0;
    }
    for (let i = from; i < to; i++) if (scratch[i] === 1) place[order[i]] = SEPARATOR;
    // Either row of vertices along the cut will do: the shorter one.
    const along = [0, 0];
    for (let i = from; i < to; i++) {
      const side = place[order[i]];
      if (side !== SEPARATOR && crossings(order[i], from, cut, to) > 0) along[side]++;
    }
    const shorter = along[LOWER] < along[UPPER] ? LOWER : UPPER;
    for (let i = from; i < to; i++) {
      const v = order[i];
      scratch[i] = place[v] === shorter && crossings(v, from, cut, to) > 0 ? 1 : 0;
    }
    for (let i = from; i < to; i++) if (scratch[i] === 1) place[order[i]] = SEPARATOR;
  };
  /** How many neighbors of a vertex lie on the other side of the cut and are no separators. */
  const crossings = (v: number, from: number, cut: number, to: number): number => {
    const below = rank[v] < cut;
    let count = 0;
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      const other = rank[items[e]];
      if (other < from || other >= to || other < cut === below) continue;
      if (place[items[e]] !== SEPARATOR) count++;
    }
    return count;
  };
  /** The place in the sorted range with the fewest edges across, not too far from the middle. */
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

/** Vertices that {@link createSorter} can number: what a double holds beside 32 bits. */
const MOST_PACKED = 2 ** 21;

/** Sorts ranges of `order` by the vertices' place along an axis, ties by number. */
function createSorter(
  positions: Float32Array,
  order: Int32Array,
): (axis: number, from: number, to: number) => void {
  if (positions.length / 3 > MOST_PACKED) {
    return (axis, from, to) => {
      const compare = (a: number, b: number): number =>
        positions[a * 3 + axis] - positions[b * 3 + axis] || a - b;
      order.subarray(from, to).sort(compare);
    };
  }
  // Place and number packed into one double sort natively, several times faster than by comparing.
  const packed = new Float64Array(order.length);
  const place = new Float32Array(1);
  const bits = new Uint32Array(place.buffer);
  return (axis, from, to) => {
    for (let i = from; i < to; i++) {
      // Adding 0 makes 0 of -0. The bits of floats rise with them, those of negative ones fall.
      place[0] = positions[order[i] * 3 + axis] + 0;
      const rising = bits[0] >= 2 ** 31 ? 2 ** 32 - 1 - bits[0] : bits[0] + 2 ** 31;
      packed[i] = rising * MOST_PACKED + order[i];
    }
    packed.subarray(from, to).sort();
    for (let i = from; i < to; i++) order[i] = packed[i] % MOST_PACKED;
  };
}

/**
 * The axis along which some points reach farthest, and the middle between their ends there.
 *
 * @param points N×3
 * @param order which of them, from `start` to before `end`
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
