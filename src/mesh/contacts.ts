import { boundsOf, longestSide } from "../math/aabb.ts";
import { listsOf } from "../math/arrays.ts";
import { type Components, connectedComponents, vertexNeighbors } from "./adjacency.ts";
import { type Mesh, vertexCount } from "./mesh.ts";

/** Maximum distance of touching vertices, in longest sides of the mesh. */
export const TOUCHING = 0.015;
/** A part with fewer touching vertices touches nothing. */
export const TOUCHING_VERTICES = 3;

/** The loose parts of a mesh and where they touch each other. */
export interface Contacts {
  parts: Components;
  /** Vertices of each part, in order. */
  members: Int32Array[];
  /** V, the nearest vertex of another part within {@link TOUCHING}, or -1. */
  nearest: Int32Array;
}

const known = new WeakMap<Mesh, Contacts>();

/**
 * Finds the loose parts (connected components) of a welded mesh and their contacts; cached by mesh.
 */
export function findContacts(mesh: Mesh): Contacts {
  const found = known.get(mesh);
  if (found) return found;
  const V = vertexCount(mesh);
  const parts = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const { starts, items } = listsOf(parts.component, parts.count);
  const members = Array.from({ length: parts.count }, (_, part) =>
    Int32Array.from(items.subarray(starts[part], starts[part + 1])),
  );
  const nearest = parts.count < 2 ? new Int32Array(V).fill(-1) : nearestOfOthers(mesh, parts);
  const made = { parts, members, nearest };
  known.set(mesh, made);
  return made;
}

/** Returns the vertices of a part that touch another part; none if there are too few. */
export function touchingVertices({ members, nearest }: Contacts, part: number): Int32Array {
  const touching = members[part].filter((v) => nearest[v] >= 0);
  return touching.length < TOUCHING_VERTICES ? new Int32Array(0) : touching;
}

function nearestOfOthers({ positions }: Mesh, { component }: Components): Int32Array {
  const V = component.length;
  const box = boundsOf(positions);
  const reach = TOUCHING * longestSide(box);
  if (!(reach > 0)) return new Int32Array(V).fill(-1);
  const mask = 2 ** Math.ceil(Math.log2(V * 2)) - 1;
  const heads = new Int32Array(mask + 1).fill(-1);
  const next = new Int32Array(V);
  const cellOf = (v: number, axis: number) =>
    Math.floor((positions[v * 3 + axis] - box.min[axis]) / reach);
  const bucket = (x: number, y: number, z: number) => {
    const hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    return (hash ^ (hash >>> 15)) & mask;
  };
  // Backwards, so that a bucket lists its vertices in order.
  for (let v = V - 1; v >= 0; v--) {
    const at = bucket(cellOf(v, 0), cellOf(v, 1), cellOf(v, 2));
    next[v] = heads[at];
    heads[at] = v;
  }
  const nearest = new Int32Array(V).fill(-1);
  for (let v = 0; v < V; v++) {
    const [x, y, z] = positions.subarray(v * 3, v * 3 + 3);
    const [cx, cy, cz] = [cellOf(v, 0), cellOf(v, 1), cellOf(v, 2)];
    let closest = reach * reach;
    for (let i = 0; i < 27; i++) {
      const at = bucket(
        cx + (i % 3) - 1,
        cy + (Math.floor(i / 3) % 3) - 1,
        cz + Math.floor(i / 9) - 1,
      );
      for (let u = heads[at]; u >= 0; u = next[u]) {
        if (component[u] === component[v]) continue;
        const dx = positions[u * 3] - x;
        const dy = positions[u * 3 + 1] - y;
        const dz = positions[u * 3 + 2] - z;
        const squared = dx * dx + dy * dy + dz * dz;
        const isCloser = squared < closest || (squared === closest && u < nearest[v]);
        if (!isCloser) continue;
        closest = squared;
        nearest[v] = u;
      }
    }
  }
  return nearest;
}
