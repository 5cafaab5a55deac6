import { inverseIndex } from "../math/arrays.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { simplifyTriangles } from "../mesh/proxy-mesh.ts";

/** A simplified mesh whose vertices are a subset. */
export interface Reduction {
  /** V', the remaining vertices, ascending. */
  vertices: Int32Array;
  /** F'×3, indices into `vertices`. */
  triangles: Uint32Array;
  /** V', the number of vertices each one represents, itself included. */
  counts: Uint16Array;
}

/**
 * Simplifies a mesh to about `limit` of its vertices; more may remain, see {@link
 * simplifyTriangles}.
 *
 * Removed vertices are counted for the vertex they reach first along edges, so that averages over
 * vertices are preserved.
 */
export async function reduceMesh(mesh: Mesh, limit: number): Promise<Reduction> {
  const V = vertexCount(mesh);
  const used = V <= limit ? mesh.triangles : await simplifyTriangles(mesh, limit);
  const stays = new Uint8Array(V).fill(V <= limit ? 1 : 0);
  for (const vertex of used) stays[vertex] = 1;
  const vertices = Int32Array.from(stays.keys()).filter((vertex) => stays[vertex]);
  const index = inverseIndex(vertices, V);
  return {
    vertices,
    triangles: Uint32Array.from(used, (vertex) => index[vertex]),
    counts: countClusters(mesh, vertices),
  };
}

/** Counts the vertices that reach each chosen one first along edges. */
function countClusters(mesh: Mesh, chosen: Int32Array): Uint16Array {
  const V = vertexCount(mesh);
  const { starts, items } = vertexNeighbors(mesh.triangles, V);
  const owner = new Int32Array(V).fill(-1);
  const queue = new Int32Array(V);
  let end = 0;
  chosen.forEach((vertex, index) => {
    owner[vertex] = index;
    queue[end++] = vertex;
  });
  for (let at = 0; at < end; at++) {
    const vertex = queue[at];
    for (let i = starts[vertex]; i < starts[vertex + 1]; i++) {
      if (owner[items[i]] >= 0) continue;
      owner[items[i]] = owner[vertex];
      queue[end++] = items[i];
    }
  }
  const counts = new Uint16Array(chosen.length);
  for (const index of owner) if (index >= 0 && counts[index] < 65535) counts[index]++;
  return counts;
}
