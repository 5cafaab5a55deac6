import { nearestOnTriangle } from "../math/point-triangle.ts";
import type { Mesh } from "./mesh.ts";
import { buildTriangleTree, type TriangleTree } from "./triangle-tree.ts";

/** A place on a surface. */
export interface SurfacePoint {
  triangle: number;
  /** Weights of the triangle's corners, >= 0, sum 1. */
  barycentric: [number, number, number];
  /** From the point asked for, in units of the mesh. */
  distance: number;
}

/**
 * Finds the point of a surface nearest to (x, y, z); nothing where none is nearer than `maxDistance`
 * (infinite unless told) on a triangle that `accept` takes. Of triangles equally near the lowest counts.
 */
export type ClosestPoint = (
  x: number,
  y: number,
  z: number,
  maxDistance?: number,
  accept?: (triangle: number) => boolean,
) => SurfacePoint | undefined;

/** Deepest path of the tree, and so the most boxes that wait. */
const STACK = 128;

/**
 * Prepares a mesh for {@link ClosestPoint} queries; the mesh must not change after.
 *
 * Triangles without area count as segments or points. Vertices outside all triangles do not count.
 */
export function createClosestPoint(mesh: Mesh): ClosestPoint {
  const tree = buildTriangleTree(mesh);
  const stack = new Int32Array(STACK);
  const gaps = new Float64Array(STACK);
  const place = new Float64Array(3);
  const corners = new Float64Array(9);
  return (x, y, z, maxDistance = Number.POSITIVE_INFINITY, accept = undefined) => {
    let limit = maxDistance * maxDistance;
    let best: SurfacePoint | undefined;
    let waiting = 0;
    if (tree.order.length > 0) waiting = 1;
    stack[0] = 0;
    gaps[0] = gapToBox(tree, 0, x, y, z);
    while (waiting > 0) {
      const node = stack[--waiting];
      if (gaps[waiting] > limit) continue;
      const count = tree.counts[node];
      for (let i = tree.links[node]; i < tree.links[node] + count; i++) {
        const triangle = tree.order[i];
        readCorners(mesh, triangle, corners);
        const square = nearestOnTriangle(corners, x, y, z, place);
        if (square > limit) continue;
        if (best && square === limit && triangle > best.triangle) continue;
        if (accept && !accept(triangle)) continue;
        limit = square;
        best = { triangle, barycentric: [place[0], place[1], place[2]], distance: 0 };
      }
      if (count > 0) continue;
      const near = gapToBox(tree, node + 1, x, y, z);
      const far = gapToBox(tree, tree.links[node], x, y, z);
      // The nearer box goes on top.
      const swap = near > far;
      stack[waiting] = swap ? node + 1 : tree.links[node];
      gaps[waiting++] = swap ? near : far;
      stack[waiting] = swap ? tree.links[node] : node + 1;
      gaps[waiting++] = swap ? far : near;
    }
    if (best) best.distance = Math.sqrt(limit);
    return best;
  };
}

function readCorners({ positions, triangles }: Mesh, triangle: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const v = triangles[triangle * 3 + k] * 3;
    out[k * 3] = positions[v];
    out[k * 3 + 1] = positions[v + 1];
    out[k * 3 + 2] = positions[v + 2];
  }
}

/** Square of the distance from a point to the box of a node; 0 inside. */
function gapToBox({ boxes }: TriangleTree, node: number, x: number, y: number, z: number): number {
  const o = node * 6;
  const dx = Math.max(0, boxes[o] - x, x - boxes[o + 3]);
  const dy = Math.max(0, boxes[o + 1] - y, y - boxes[o + 4]);
  const dz = Math.max(0, boxes[o + 2] - z, z - boxes[o + 5]);
  // A hair less, so that rounding never hides a triangle that ties.
  return (dx * dx + dy * dy + dz * dz) * (1 - 1e-12);
}
