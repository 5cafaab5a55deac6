import type { Lists } from "../math/arrays.ts";
import { MinHeap } from "../math/min-heap.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "./mesh.ts";

/**
 * The vertices around each vertex within a distance along the edges of the surface.
 *
 * A ball of at most `limit` vertices is whole. Of a larger one `limit` vertices are kept, drawn from
 * the whole ball: the nearest would only repeat the one-ring. The draw hangs on the seed and the
 * positions, so renumbering the vertices renumbers the answer and no more.
 *
 * Lab notes: a search from every vertex costs V times the size of a ball (5 s for 50K vertices). A
 * search is symmetric, so vertices are visited in a random order, each search hands its center to
 * the whole ball, and a vertex whose row is full by the time of its turn needs no search of its own.
 * The work is then about `limit` × V, whatever the density.
 *
 * @param neighbors one-ring of each vertex
 * @param radius length of the longest path, in units of the mesh
 * @param seed chooses among the vertices of a ball that holds too many
 * @returns V×limit, no vertex in its own row; short rows are padded by repeating their members (an
 *   empty one by the vertex itself), which leaves a maximum over the row unchanged
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
    // The center's own ball is at hand, so its row can be told whole from short, and closed.
    writeSample(rows.subarray(center * limit, (center + 1) * limit), center, found, size, hashes);
    filled[center] = limit;
  }
  return rows;
}

/** Keeps the vertices of lowest hash, in ascending order of hash. */
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

/** Dijkstra's search with buffers that serve every center; `found` is in order of distance, without the center. */
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

/** Directions in which places are told apart; no two of their numbers have a simple ratio. */
const WAYS = [
  [0.7548776662, 0.5698402909, 0.3247179572],
  [-0.4301597091, 0.8191725134, 0.3819660113],
  [0.2360679775, -0.6180339887, 0.7320508076],
];
/** Waves along a side of the character, and folds of the waves laid over each other. */
const WAVES = 5;
const FOLDS = 1.5;

/**
 * 32 bits per vertex that look random from one vertex to the next, and change little with its place:
 * the same body in other units, and so rounded otherwise, has the same order.
 */
function hashPositions(positions: Float32Array, seed: number): Uint32Array {
  const hashes = new Uint32Array(positions.length / 3);
  for (let v = 0; v < hashes.length; v++) {
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    let sum = 0;
    for (const [a, b, c] of WAYS) {
      sum = 1.6180339887 * sum + wave(WAVES * (a * x + b * y + c * z) + seed * a);
    }
    hashes[v] = Math.floor(wave(FOLDS * sum) * 0xffffffff);
  }
  return hashes;
}

/** Runs evenly from 0 to 1 and back, once for each whole number. */
function wave(value: number): number {
  return Math.abs(2 * (value - Math.floor(value)) - 1);
}

/** Indices by ascending key. */
function orderBy(keys: Uint32Array): Float64Array | Int32Array {
  // Key and index packed into one double (32 + 21 bits) sort natively; larger meshes compare.
  if (keys.length > 1 << 21) {
    return Int32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
  }
  const packed = Float64Array.from(keys, (key, index) => key * 2097152 + index).sort();
  return packed.map((value) => value % 2097152);
}
