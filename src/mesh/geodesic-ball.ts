import type { Lists } from "../math/arrays.ts";
import { MinHeap } from "../math/min-heap.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "./mesh.ts";

/**
 * Returns the vertices around each vertex within a distance along the edges of the surface.
 *
 * A ball of at most `limit` vertices is complete. Of a larger one a random sample of `limit` vertices is
 * kept: the nearest would only repeat the one-ring. The sample depends on the seed and the positions, not on
 * the order of vertices.
 *
 * Balls are symmetric, so vertices are visited in random order, each search adds its center to the rows of
 * its ball, and a vertex whose row is full needs no search. The work is about `limit` × V.
 *
 * @param neighbors one-ring of each vertex
 * @param radius length of the longest path, in units of the mesh
 * @param seed of the samples
 * @returns V×limit, no vertex in its own row; short rows are padded by repeating their members (an
 *   empty one by the vertex itself), which does not change a maximum over the row
 */
export function geodesicBall(
  mesh: Mesh,
  neighbors: Lists,
  radius: number,
  limit: number,
  seed = 1,
): Int32Array {
  const count = vertexCount(mesh);
  const hashes = hashPositions(mesh.positions, seed);
  const search = createSearch(neighbors, edgeLengths(mesh, neighbors), count);
  const rows = new Int32Array(count * limit);
  const filled = new Int32Array(count);
  for (const center of orderBy(hashes)) {
    if (filled[center] >= limit) continue;
    const { found, size } = search(center, radius);
    for (let i = 0; i < size; i++) {
      const v = found[i];
      if (filled[v] < limit) rows[v * limit + filled[v]++] = center;
    }
    // The ball of the center is complete, so its row is final.
    writeSample(rows.subarray(center * limit, (center + 1) * limit), center, found, size, hashes);
    filled[center] = limit;
  }
  return rows;
}

/** Keeps the vertices with the lowest hashes, in ascending order. */
function writeSample(
  row: Int32Array,
  center: number,
  found: Int32Array,
  size: number,
  hashes: Uint32Array,
): void {
  const limit = row.length;
  let kept = 0;
  for (let i = 0; i < size; i++) {
    const v = found[i];
    if (kept === limit && hashes[v] >= hashes[row[limit - 1]]) continue;
    let slot = kept < limit ? kept++ : limit - 1;
    for (; slot > 0 && hashes[row[slot - 1]] > hashes[v]; slot--) row[slot] = row[slot - 1];
    row[slot] = v;
  }
  for (let slot = kept; slot < limit; slot++) row[slot] = kept > 0 ? row[slot % kept] : center;
}

type Search = (center: number, radius: number) => { found: Int32Array; size: number };

/** Dijkstra's search with reused buffers; `found` is sorted by distance, without the center. */
function createSearch(neighbors: Lists, lengths: Float32Array, count: number): Search {
  const { starts, items } = neighbors;
  const distance = new Float64Array(count);
  const stamp = new Int32Array(count).fill(-1);
  const settled = new Int32Array(count).fill(-1);
  const found = new Int32Array(count);
  const heap = new MinHeap(1024);
  return (center, radius) => {
    let size = 0;
    heap.clear();
    heap.push(0, center);
    stamp[center] = center;
    distance[center] = 0;
    while (heap.size > 0) {
      const v = heap.pop();
      if (settled[v] === center) continue;
      settled[v] = center;
      if (v !== center) found[size++] = v;
      for (let i = starts[v]; i < starts[v + 1]; i++) {
        const next = items[i];
        const path = distance[v] + lengths[i];
        if (path > radius || (stamp[next] === center && path >= distance[next])) continue;
        stamp[next] = center;
        distance[next] = path;
        heap.push(path, next);
      }
    }
    return { found, size };
  };
}

function edgeLengths(mesh: Mesh, neighbors: Lists): Float32Array {
  const { starts, items } = neighbors;
  const lengths = new Float32Array(items.length);
  for (let v = 0; v + 1 < starts.length; v++) {
    for (let i = starts[v]; i < starts[v + 1]; i++) {
      lengths[i] = distanceOf(mesh.positions, v, items[i]);
    }
  }
  return lengths;
}

/** Directions of the hash; no two of their components have a simple ratio. */
const DIRECTIONS = [
  [0.7548776662, 0.5698402909, 0.3247179572],
  [-0.4301597091, 0.8191725134, 0.3819660113],
  [0.2360679775, -0.6180339887, 0.7320508076],
];
/** Waves per unit length, and folds of their sum. */
const WAVES = 5;
const FOLDS = 1.5;

/**
 * Hashes positions to 32 bits that look random between vertices but change little with the position, so that
 * rounding in other units does not change the order.
 */
function hashPositions(positions: Float32Array, seed: number): Uint32Array {
  const hashes = new Uint32Array(positions.length / 3);
  for (let v = 0; v < hashes.length; v++) {
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    let sum = 0;
    for (const [a, b, c] of DIRECTIONS) {
      sum = 1.6180339887 * sum + wave(WAVES * (a * x + b * y + c * z) + seed * a);
    }
    hashes[v] = Math.floor(wave(FOLDS * sum) * 0xffffffff);
  }
  return hashes;
}

/** A triangle wave from 0 to 1 and back, with period 1. */
function wave(value: number): number {
  return Math.abs(2 * (value - Math.floor(value)) - 1);
}

function orderBy(keys: Uint32Array): Float64Array | Int32Array {
  // Key and index packed into one double (32 + 21 bits) sort natively; larger meshes compare.
  if (keys.length > 1 << 21) {
    return Int32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
  }
  const packed = Float64Array.from(keys, (key, index) => key * 2097152 + index).sort();
  return packed.map((value) => value % 2097152);
}
