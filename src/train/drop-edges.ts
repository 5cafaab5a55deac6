import type { Random } from "../math/random.ts";

/** Most slots that may hold one vertex: bounds the work of the backward pass at a pole of the mesh. */
export const MOST_READERS = 24;

/**
 * Edge dropout: keeps a random choice of each row's entries, and avoids entries that too many slots
 * hold already (such a slot holds the vertex itself).
 *
 * @param lists V×width
 * @returns V×kept
 */
export function dropEdges(lists: Int32Array, V: number, kept: number, random: Random): Int32Array {
  const width = lists.length / V;
  const out = new Int32Array(V * kept);
  const readers = new Int32Array(V);
  const row = new Int32Array(width);
  for (let v = 0; v < V; v++) {
    row.set(lists.subarray(v * width, (v + 1) * width));
    for (let slot = 0; slot < kept; slot++) {
      const pick = slot + Math.floor(random() * (width - slot));
      const entry = row[pick];
      row[pick] = row[slot];
      const chosen = readers[entry] < MOST_READERS ? entry : v;
      readers[chosen]++;
      out[v * kept + slot] = chosen;
    }
  }
  return out;
}
