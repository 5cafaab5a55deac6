import { boundsOf, longestSide } from "../math/aabb.ts";
import { takeRows } from "../math/arrays.ts";
import { keepTriangles, type Mesh } from "./mesh.ts";

/** Groups of vertices at the same position. */
export interface Weld {
  count: number;
  /** V, the group of each vertex; groups are numbered in the order of their first vertex. */
  welded: Int32Array;
  /** count×3, the position of the first vertex of each group. */
  positions: Float32Array;
}

/** Cells are a few tolerances wide, so that most queries visit one cell only. */
const CELL_IN_TOLERANCES = 4;

/** Bounds the number of cells along a side when the tolerance is (nearly) zero. */
const SMALLEST_CELL = 1e-6;

/**
 * Groups vertices within `tolerance` of the first vertex of a group.
 *
 * Vertices are processed in order; each joins the lowest group within reach, or starts a new one. Equal
 * positions always share a group. A vertex whose position is not finite stays alone.
 *
 * @param positions V×3
 * @param tolerance in units of the mesh, >= 0
 */
export function weld(positions: Float32Array, tolerance: number): Weld {
  const vertices = positions.length / 3;
  const cells = hashGrid(positions, tolerance);
  const welded = new Int32Array(vertices);
  const firsts = new Int32Array(vertices);
  let count = 0;
  for (let vertex = 0; vertex < vertices; vertex++) {
    let group = cells.find(vertex, firsts);
    if (group < 0) {
      group = count++;
      firsts[group] = vertex;
      cells.add(vertex, group);
    }
    welded[vertex] = group;
  }
  return { count, welded, positions: takeRows(positions, firsts.subarray(0, count), 3) };
}

/** Maps triangles to welded vertices and drops those that become degenerate. */
export function weldTriangles(mesh: Mesh, welded: Int32Array): Uint32Array {
  return keepTriangles(
    mesh.triangles.map((vertex) => welded[vertex]),
    (a, b, c) => a !== b && b !== c && c !== a,
  );
}

interface HashGrid {
  /** The lowest group whose first vertex is within the tolerance of `vertex`, or -1. */
  find(vertex: number, firsts: Int32Array): number;
  add(vertex: number, group: number): void;
}

function hashGrid(positions: Float32Array, tolerance: number): HashGrid {
  const vertices = positions.length / 3;
  // A vertex that is not finite must not affect the cells of the others.
  const box = boundsOf(positions.map((value) => (Number.isFinite(value) ? value : Number.NaN)));
  const corner = box.min.map((value) => (Number.isFinite(value) ? value : 0));
  const longest = longestSide(box);
  const size = Math.max(tolerance * CELL_IN_TOLERANCES, longest * SMALLEST_CELL) || 1;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(vertices, 1) * 2)) - 1;
  const heads = new Int32Array(mask + 1).fill(-1);
  const next = new Int32Array(vertices);

  const cellOf = (value: number, axis: number) => Math.floor((value - corner[axis]) / size);
  const bucket = (x: number, y: number, z: number) => {
    const hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    return (hash ^ (hash >>> 15)) & mask;
  };

  return {
    find(vertex, firsts) {
      const o = vertex * 3;
      const x = positions[o];
      const y = positions[o + 1];
      const z = positions[o + 2];
      let best = -1;
      if (!Number.isFinite(x + y + z)) return best;
      const lastX = cellOf(x + tolerance, 0);
      const lastY = cellOf(y + tolerance, 1);
      const lastZ = cellOf(z + tolerance, 2);
      for (let cz = cellOf(z - tolerance, 2); cz <= lastZ; cz++) {
        for (let cy = cellOf(y - tolerance, 1); cy <= lastY; cy++) {
          for (let cx = cellOf(x - tolerance, 0); cx <= lastX; cx++) {
            for (let group = heads[bucket(cx, cy, cz)]; group >= 0; group = next[group]) {
              const other = firsts[group] * 3;
              const dx = positions[other] - x;
              const dy = positions[other + 1] - y;
              const dz = positions[other + 2] - z;
              const near = dx * dx + dy * dy + dz * dz <= tolerance * tolerance;
              if (near && (best < 0 || group < best)) best = group;
            }
          }
        }
      }
      return best;
    },
    add(vertex, group) {
      const o = vertex * 3;
      const [x, y, z] = [positions[o], positions[o + 1], positions[o + 2]];
      const cell = bucket(cellOf(x, 0), cellOf(y, 1), cellOf(z, 2));
      next[group] = heads[cell];
      heads[cell] = group;
    },
  };
}
