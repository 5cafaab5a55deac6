import { inverseIndex } from "../math/arrays.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { simplifyTriangles } from "../mesh/proxy-mesh.ts";

/** A subset of a mesh that represents it. */
export interface Reduction {
  /** V', the vertices kept, ascending. */
  vertices: Int32Array;
  /** F'×3, indices into `vertices`. */
  triangles: Uint32Array;
  /** V', number of vertices of the mesh that each one represents (itself included). */
  counts: Uint16Array;
}

/**
 * Chooses at most about `limit` vertices of a mesh and triangles between them.
 *
 * Kept vertices do not move, so their measurements stay exact; each of the others is counted for the one it
 * reaches first along the edges, so that dense regions keep their weight in averages. More vertices than
 * requested may remain, see {@link simplifyTriangles}.
 */
export async function reduceMesh(mesh: Mesh, limit: number): Promise<Reduction> {
  const V = vertexCount(mesh);
  const used = V <= limit ? mesh.triangles : await simplifyTriangles(mesh, limit);
  const stays = new Uint8Array(V).fill(V <= limit ? 1 : 0);
  for (const vertex of used) stays[vertex] = 1;
  const vertices = Int32Array.from(stays.keys()).filter((vertex) => stays[vertex]);
  const indexOf = inverseIndex(vertices, V);
  return {
    vertices,
    triangles: Uint32Array.from(used, (vertex) => indexOf[vertex]),
    counts: countClusters(mesh, vertices),
  };
}

/** Number of vertices that reach each chosen one first, along edges; unreachable ones are not counted. */
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
