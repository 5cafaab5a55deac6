import type { Lists } from "../math/lists.ts";

/**
 * The one-ring of each vertex in a fixed number of slots.
 *
 * Short rows repeat their own entries, which is exact under a maximum. Of a long row the entries that
 * lie farthest apart are kept: a choice by place, so that renumbering the vertices renumbers the
 * lists and no more. A vertex without neighbours has itself.
 *
 * @param positions V×3
 * @param fill what fills short rows: their own entries, or the vertex itself (for averages, which
 *   must not hang on which entry is repeated)
 * @returns V×width
 */
export function ringLists(
  neighbours: Lists,
  positions: Float32Array,
  width: number,
  fill: "repeat" | "self" = "repeat",
): Int32Array {
  const V = neighbours.starts.length - 1;
  const out = new Int32Array(V * width);
  for (let v = 0; v < V; v++) {
    const row = neighbours.items.subarray(neighbours.starts[v], neighbours.starts[v + 1]);
    const kept = row.length > width ? farApart(row, v, positions, width) : row;
    for (let slot = 0; slot < width; slot++) {
      const own = kept.length === 0 || (fill === "self" && slot >= kept.length);
      out[v * width + slot] = own ? v : kept[slot % kept.length];
    }
  }
  return out;
}

/** Gaps that differ by a smaller share are equal, or rounding would choose. */
const GAP_TIE = 1e-4;

/** The entry nearest to the vertex, then again and again the one farthest from those chosen. */
function farApart(row: Int32Array, v: number, positions: Float32Array, count: number): Int32Array {
  const squared = (a: number, b: number): number =>
    (positions[a * 3] - positions[b * 3]) ** 2 +
    (positions[a * 3 + 1] - positions[b * 3 + 1]) ** 2 +
    (positions[a * 3 + 2] - positions[b * 3 + 2]) ** 2;
  // Negative distances to the vertex start it: the highest is the nearest.
  const gaps = Float64Array.from(row, (entry) => -squared(entry, v));
  const chosen = new Int32Array(count);
  for (let slot = 0; slot < count; slot++) {
    let best = 0;
    for (let i = 1; i < row.length; i++) {
      if (gaps[i] - gaps[best] > GAP_TIE * Math.abs(gaps[i])) best = i;
    }
    chosen[slot] = row[best];
    for (let i = 0; i < row.length; i++) {
      const gap = squared(row[i], row[best]);
      gaps[i] = slot === 0 ? gap : Math.min(gaps[i], gap);
    }
    gaps[best] = Number.NEGATIVE_INFINITY;
  }
  return chosen;
}
