import type { Lists } from "../math/lists.ts";

/**
 * The one-ring of each vertex in a fixed number of slots.
 *
 * Short rows repeat their own entries (exact under a maximum, and it spreads the repeats evenly);
 * long rows keep entries evenly spaced over the row. A vertex without neighbours has itself.
 *
 * @param fill what fills short rows: their own entries, or the vertex itself (for averages, which
 *   must not hang on which entry is repeated)
 * @returns V×width
 */
export function ringLists(
  neighbours: Lists,
  width: number,
  fill: "repeat" | "self" = "repeat",
): Int32Array {
  const V = neighbours.starts.length - 1;
  const out = new Int32Array(V * width);
  for (let v = 0; v < V; v++) {
    const start = neighbours.starts[v];
    const degree = neighbours.starts[v + 1] - start;
    for (let slot = 0; slot < width; slot++) {
      const pick = degree > width ? Math.floor((slot * degree) / width) : slot % degree;
      const own = degree === 0 || (fill === "self" && slot >= degree);
      out[v * width + slot] = own ? v : neighbours.items[start + pick];
    }
  }
  return out;
}
