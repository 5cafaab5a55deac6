import { type Aabb, boundsOf, includePoint } from "../math/aabb.ts";
import type { Lists } from "../math/arrays.ts";

/**
 * Returns the one-ring of each vertex: every vertex it shares an edge with.
 *
 * Rows ascend, without duplicates and without the vertex itself (degenerate triangles are allowed); a vertex
 * in no triangle has an empty row. Cached per array of triangles, which must not change.
 *
 * @param triangles F×3
 */
export function vertexNeighbors(triangles: Uint32Array, vertexCount: number): Lists {
  const known = found.get(triangles);
  if (known?.starts.length === vertexCount + 1) return known;
  const made = findNeighbors(triangles, vertexCount);
  found.set(triangles, made);
  return made;
}

const found = new WeakMap<Uint32Array, Lists>();

function findNeighbors(triangles: Uint32Array, vertexCount: number): Lists {
  const ends = new Int32Array(vertexCount + 1);
  // Both directions of each edge with distinct ends; one pass to count, one to write.
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = [triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]];
    if (a === b) continue;
    ends[a + 1]++;
    ends[b + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) ends[v + 1] += ends[v];
  const raw = new Int32Array(ends[vertexCount]);
  const cursor = ends.slice(0, vertexCount);
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = [triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]];
    if (a === b) continue;
    raw[cursor[a]++] = b;
    raw[cursor[b]++] = a;
  }
  return sortedUnique(ends, raw);
}

function sortedUnique(ends: Int32Array, raw: Int32Array): Lists {
  const count = ends.length - 1;
  const starts = new Int32Array(count + 1);
  let written = 0;
  for (let v = 0; v < count; v++) {
    sortRow(raw, ends[v], ends[v + 1]);
    let last = -1;
    // Rows only shrink, so writing to the same array never overtakes reading.
    for (let i = ends[v]; i < ends[v + 1]; i++) {
      const item = raw[i];
      if (item !== last) raw[written++] = item;
      last = item;
    }
    starts[v + 1] = written;
  }
  return { starts, items: raw.slice(0, written) };
}

/** Longer rows are left to the native sort. */
const LONG_ROW = 48;

function sortRow(raw: Int32Array, from: number, to: number): void {
  if (to - from > LONG_ROW) {
    raw.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const item = raw[i];
    let at = i;
    for (; at > from && raw[at - 1] > item; at--) raw[at] = raw[at - 1];
    raw[at] = item;
  }
}

/** The connected component of each node. */
export interface Components {
  count: number;
  /** V, 0 .. count - 1, numbered in order of their lowest node. */
  component: Int32Array;
}

/**
 * Finds the connected components of a graph; an isolated node is its own component.
 *
 * @param neighbors symmetric lists, as returned by {@link vertexNeighbors}
 */
export function connectedComponents(neighbors: Lists): Components {
  const known = parts.get(neighbors);
  if (known) return known;
  const made = findComponents(neighbors);
  parts.set(neighbors, made);
  return made;
}

const parts = new WeakMap<Lists, Components>();

function findComponents({ starts, items }: Lists): Components {
  const component = new Int32Array(starts.length - 1).fill(-1);
  const stack = new Int32Array(component.length);
  let count = 0;
  for (let first = 0; first < component.length; first++) {
    if (component[first] >= 0) continue;
    component[first] = count;
    stack[0] = first;
    for (let height = 1; height > 0; ) {
      const node = stack[--height];
      for (let i = starts[node]; i < starts[node + 1]; i++) {
        const next = items[i];
        if (component[next] >= 0) continue;
        component[next] = count;
        stack[height++] = next;
      }
    }
    count++;
  }
  return { count, component };
}

/** Returns the bounding box of each connected component of a mesh. */
export function partBoxes(positions: Float32Array, { count, component }: Components): Aabb[] {
  const boxes = Array.from({ length: count }, () => boundsOf([]));
  component.forEach((part, v) => {
    includePoint(boxes[part], positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
  });
  return boxes;
}
