import { MeshoptSimplifier, type SimplifierFlags } from "meshoptimizer/simplifier";
import { inverseIndex, takeRows } from "../math/arrays.ts";
import { connectedComponents, vertexNeighbors } from "./adjacency.ts";
import { keepTriangles, type Mesh, vertexCount } from "./mesh.ts";

/** A coarse mesh that approximates a fine one; its vertices are a subset of the fine mesh's. */
export interface ProxyMesh {
  mesh: Mesh;
  /** V', vertex indices in the fine mesh, ascending. */
  vertices: Int32Array;
  /** F', the component of the fine mesh that each triangle of the proxy belongs to. */
  parts: Int32Array;
  /** V, the component of each vertex of the fine mesh. */
  fineParts: Int32Array;
}

/** Fraction of the requested vertices reserved for components that simplification removed. */
const RESTORED_FRACTION = 0.25;

/**
 * Simplifies a mesh to about `limit` vertices and keeps at least a triangle of every component.
 *
 * A component that vanished is represented by its largest triangle, a loose vertex by a degenerate one. If
 * there are more such components than the limit allows, every n-th is kept.
 */
export async function buildProxy(fine: Mesh, limit: number): Promise<ProxyMesh> {
  const count = vertexCount(fine);
  const { component, count: parts } = connectedComponents(vertexNeighbors(fine.triangles, count));
  const simple =
    fine.triangles.length > 0 ? await simplifyTriangles(fine, limit, true) : fine.triangles;
  // Clustering may join components; a triangle between two would carry weights from one to the other.
  const kept = keepTriangles(
    simple,
    (a, b, c) => component[a] === component[b] && component[a] === component[c],
  );
  const restored = missingParts(fine, kept, component, parts);
  const room = Math.max(limit * RESTORED_FRACTION, limit - new Set(kept).size);
  const step = Math.max(1, Math.ceil(restored.length / room));
  const chosen = restored.filter((_, i) => Math.floor(i / 3) % step === 0);
  const triangles = new Uint32Array(kept.length + chosen.length);
  triangles.set(kept);
  triangles.set(chosen, kept.length);
  return compact(fine, triangles, component);
}

/** One triangle for each component that none of `kept` belongs to; N×3. */
function missingParts(fine: Mesh, kept: Uint32Array, component: Int32Array, parts: number) {
  const present = new Uint8Array(parts);
  for (const v of kept) present[component[v]] = 1;
  const largest = new Int32Array(parts).fill(-1);
  const areas = new Float64Array(parts).fill(-1);
  for (let f = 0; f < fine.triangles.length; f += 3) {
    const part = component[fine.triangles[f]];
    if (present[part]) continue;
    const area = doubleArea(fine, f);
    if (area <= areas[part]) continue;
    areas[part] = area;
    largest[part] = f;
  }
  const first = new Int32Array(parts).fill(-1);
  for (let v = component.length - 1; v >= 0; v--) first[component[v]] = v;
  const out: number[] = [];
  for (let part = 0; part < parts; part++) {
    if (present[part]) continue;
    for (let k = 0; k < 3; k++) {
      out.push(largest[part] < 0 ? first[part] : fine.triangles[largest[part] + k]);
    }
  }
  return Uint32Array.from(out);
}

function doubleArea({ positions: p, triangles }: Mesh, f: number): number {
  const [a, b, c] = [triangles[f] * 3, triangles[f + 1] * 3, triangles[f + 2] * 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

function compact(fine: Mesh, triangles: Uint32Array, component: Int32Array): ProxyMesh {
  const vertices = Int32Array.from(new Set(triangles)).sort();
  const indexOf = inverseIndex(vertices, vertexCount(fine));
  const positions = takeRows(fine.positions, vertices, 3);
  const parts = new Int32Array(triangles.length / 3).map((_, f) => component[triangles[f * 3]]);
  return {
    mesh: { positions, triangles: triangles.map((v) => indexOf[v]) },
    vertices,
    parts,
    fineParts: component,
  };
}

/**
 * Returns triangles that use at most about `limit` of a mesh's vertices, which do not move.
 *
 * Cards and loose parts simplify badly: more vertices may remain, and if it would be twice as many, they are
 * clustered on a grid instead. Small loose parts may vanish.
 *
 * Based on: Garland and Heckbert. Surface simplification using quadric error metrics. 1997
 * (through meshoptimizer).
 *
 * @param regular whether triangles should be similar in size and shape, at some cost in accuracy
 * @returns F'×3, indices into the vertices of `mesh`
 */
export async function simplifyTriangles(
  { positions, triangles }: Mesh,
  limit: number,
  regular = false,
): Promise<Uint32Array> {
  await MeshoptSimplifier.ready;
  const flags: SimplifierFlags[] = regular ? ["Regularize"] : [];
  let target = triangles.length * (limit / (positions.length / 3));
  let best = triangles;
  let fewest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && fewest > limit * 1.1; attempt++) {
    const indices = Math.floor(target / 3) * 3;
    const [result] = MeshoptSimplifier.simplify(triangles, positions, 3, indices, 1, flags);
    const left = new Set(result).size;
    if (left === 0 || left >= fewest) break;
    best = result;
    fewest = left;
    target *= (limit / left) * 0.95;
  }
  if (fewest <= limit * 2) return best;
  const max = Math.min(triangles.length, Math.floor(limit) * 6);
  const [clustered] = MeshoptSimplifier.simplifySloppy(triangles, positions, 3, null, max, 1);
  return clustered.length > 0 ? clustered : best;
}
