import type { Lists } from "../math/lists.ts";

/**
 * The one-ring of each vertex: every vertex it shares a triangle's side with.
 *
 * Rows ascend, hold no vertex twice and never the vertex itself (degenerate triangles are welcome);
 * a vertex in no triangle has an empty row.
 *
 * @param triangles F×3
 */
export function vertexNeighbours(triangles: Uint32Array, vertexCount: number): Lists {
  const ends = new Int32Array(vertexCount + 1);
  eachSide(triangles, (a) => {
    ends[a + 1]++;
  });
  for (let v = 0; v < vertexCount; v++) ends[v + 1] += ends[v];
  const raw = new Int32Array(ends[vertexCount]);
  const cursor = ends.slice(0, vertexCount);
  eachSide(triangles, (a, b) => {
    raw[cursor[a]++] = b;
  });
  return sortedUnique(ends, raw);
}

/** Calls back with both directions of each side whose ends differ. */
function eachSide(triangles: Uint32Array, visit: (from: number, to: number) => void): void {
  for (let corner = 0; corner < triangles.length; corner++) {
    const a = triangles[corner];
    const b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
    if (a === b) continue;
    visit(a, b);
    visit(b, a);
  }
}

function sortedUnique(ends: Int32Array, raw: Int32Array): Lists {
  const count = ends.length - 1;
  const starts = new Int32Array(count + 1);
  let written = 0;
  for (let v = 0; v < count; v++) {
    const row = raw.subarray(ends[v], ends[v + 1]).sort();
    let last = -1;
    // Rows only shrink, so writing into the same array never overtakes the reading.
    for (const item of row) {
      if (item !== last) raw[written++] = item;
      last = item;
    }
    starts[v + 1] = written;
  }
  return { starts, items: raw.slice(0, written) };
}
