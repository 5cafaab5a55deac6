import { boundsOf, longestSide } from "../math/aabb.ts";
import { takeRows } from "../math/arrays.ts";
import { keepTriangles, type Mesh } from "./mesh.ts";

/** Which vertices lie at the same place. */
export interface Weld {
  /** Number of places. */
  count: number;
  /** V, the place of each vertex; places are numbered in the order of their first vertex. */
  welded: Int32Array;
  /** count×3, the position of the first vertex at each place. */
  positions: Float32Array;
}

/** Cells are a few tolerances wide, so that most vertices look into one cell only. */
const CELL_IN_TOLERANCES = 4;

/** Bounds the number of cells along a side when the tolerance is zero or next to nothing. */
const SMALLEST_CELL = 1e-6;

/**
 * Joins vertices no further than `tolerance` from the first vertex of a place.
 *
 * Vertices are taken in order; each joins the lowest place within reach, or opens a new one. Equal
 * positions always share a place. A vertex whose position is not finite stays alone.
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
    let place = cells.find(vertex, firsts);
    if (place < 0) {
      place = count++;
      firsts[place] = vertex;
      cells.add(vertex, place);
    }
    welded[vertex] = place;
  }
  return { count, welded, positions: takeRows(positions, firsts.subarray(0, count), 3) };
}

/** The triangles over welded vertices; those that lost a corner are dropped. */
export function weldTriangles(mesh: Mesh, welded: Int32Array): Uint32Array {
  return keepTriangles(
    mesh.triangles.map((vertex) => welded[vertex]),
    (a, b, c) => a !== b && b !== c && c !== a,
  );
}

interface HashGrid {
  /** The lowest place whose first vertex is within the tolerance of `vertex`, or -1. */
  find(vertex: number, firsts: Int32Array): number;
  add(vertex: number, place: number): void;
}

function hashGrid(positions: Float32Array, tolerance: number): HashGrid {
  const vertices = positions.length / 3;
  // A vertex that is nowhere must not move the cells of the others.
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
      const x = positions[vertex * 3];
      const y = positions[vertex * 3 + 1];
      const z = positions[vertex * 3 + 2];
      let best = -1;
      if (!Number.isFinite(x + y + z)) return best;
      for (let cz = cellOf(z - tolerance, 2); cz <= cellOf(z + tolerance, 2); cz++) {
        for (let cy = cellOf(y - tolerance, 1); cy <= cellOf(y + tolerance, 1); cy++) {
          for (let cx = cellOf(x - tolerance, 0); cx <= cellOf(x + tolerance, 0); cx++) {
            for (let place = heads[bucket(cx, cy, cz)]; place >= 0; place = next[place]) {
              const other = firsts[place] * 3;
              const dx = positions[other] - x;
              const dy = positions[other + 1] - y;
              const dz = positions[other + 2] - z;
              const near = dx * dx + dy * dy + dz * dz <= tolerance * tolerance;
              if (near && (best < 0 || place < best)) best = place;
            }
          }
        }
      }
      return best;
    },
    add(vertex, place) {
      const cell = bucket(
        cellOf(positions[vertex * 3], 0),
        cellOf(positions[vertex * 3 + 1], 1),
        cellOf(positions[vertex * 3 + 2], 2),
      );
      next[place] = heads[cell];
      heads[cell] = place;
    },
  };
}
