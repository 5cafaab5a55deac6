import { vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { simplifyTriangles } from "../mesh/proxy-mesh.ts";

/** Part of a mesh that stands for the whole. */
export interface Reduction {
  /** V', the vertices that stay, ascending. */
  vertices: Int32Array;
  /** F'×3, indices into `vertices`. */
  triangles: Uint32Array;
  /** V', how many vertices of the mesh each one stands for (itself included). */
  counts: Uint16Array;
}

/**
 * Chooses at most about `limit` vertices of a mesh and triangles between them.
 *
 * The vertices that stay keep their place, so whatever is known of them stays exact; each of the
 * others is counted to the one it reaches first along the edges, so that dense regions keep their say in
 * an average over vertices. More vertices than asked for may stay, see {@link simplifyTriangles}.
 */
export async function reduceMesh(mesh: Mesh, limit: number): Promise<Reduction> {
  const V = vertexCount(mesh);
  const used = V <= limit ? mesh.triangles : await simplifyTriangles(mesh, limit);
  const stays = new Uint8Array(V).fill(V <= limit ? 1 : 0);
  for (const vertex of used) stays[vertex] = 1;
  const vertices = Int32Array.from(stays.keys()).filter((vertex) => stays[vertex]);
  const place = new Int32Array(V);
  vertices.forEach((vertex, index) => {
    place[vertex] = index;
  });
  return {
    vertices,
    triangles: Uint32Array.from(used, (vertex) => place[vertex]),
    counts: countClusters(mesh, vertices),
  };
}

/** How many vertices reach each chosen one first, along edges; those that reach none are not counted. */
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
