import { nearestOnTriangle } from "../math/triangle.ts";
import { longestAxis } from "./dissection-order.ts";
import { type Mesh, triangleCount } from "./mesh.ts";

/** A point on a surface. */
export interface SurfacePoint {
  triangle: number;
  /** Weights of the triangle's corners, >= 0, sum 1. */
  barycentric: [number, number, number];
  /** From the query point, in units of the mesh. */
  distance: number;
}

/**
 * Finds the point of a surface nearest to (x, y, z); undefined if none is within `maxDistance` (default
 * infinite) on a triangle that `accept` allows. Ties go to the triangle with the lowest index.
 */
export type ClosestPoint = (
  x: number,
  y: number,
  z: number,
  maxDistance?: number,
  accept?: (triangle: number) => boolean,
) => SurfacePoint | undefined;

const STACK = 128;

/**
 * Prepares a mesh for {@link ClosestPoint} queries; the mesh must not change afterwards.
 *
 * Degenerate triangles count as segments or points. Vertices outside all triangles do not count.
 */
export function createClosestPoint(mesh: Mesh): ClosestPoint {
  const tree = buildTriangleTree(mesh);
  const stack = new Int32Array(STACK);
  const gaps = new Float64Array(STACK);
  const weights = new Float64Array(3);
  const corners = new Float64Array(9);
  return (x, y, z, maxDistance = Number.POSITIVE_INFINITY, accept = undefined) => {
    let limit = maxDistance * maxDistance;
    let best: SurfacePoint | undefined;
    let waiting = tree.order.length > 0 ? 1 : 0;
    stack[0] = 0;
    gaps[0] = gapToBox(tree, 0, x, y, z);
    while (waiting > 0) {
      const node = stack[--waiting];
      if (gaps[waiting] > limit) continue;
      const count = tree.counts[node];
      for (let i = tree.links[node]; i < tree.links[node] + count; i++) {
        const triangle = tree.order[i];
        for (let k = 0; k < 3; k++) {
          const v = mesh.triangles[triangle * 3 + k] * 3;
          for (let axis = 0; axis < 3; axis++) corners[k * 3 + axis] = mesh.positions[v + axis];
        }
        const square = nearestOnTriangle(corners, x, y, z, weights);
        if (square > limit) continue;
        if (best && square === limit && triangle > best.triangle) continue;
        if (accept && !accept(triangle)) continue;
        limit = square;
        best = { triangle, barycentric: [weights[0], weights[1], weights[2]], distance: 0 };
      }
      if (count > 0) continue;
      const near = gapToBox(tree, node + 1, x, y, z);
      const far = gapToBox(tree, tree.links[node], x, y, z);
      // The nearer box is visited first.
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

/** Squared distance from a point to the box of a node; 0 inside. */
function gapToBox({ boxes }: TriangleTree, node: number, x: number, y: number, z: number): number {
  const o = node * 6;
  const dx = Math.max(0, boxes[o] - x, x - boxes[o + 3]);
  const dy = Math.max(0, boxes[o + 1] - y, y - boxes[o + 4]);
  const dz = Math.max(0, boxes[o + 2] - z, z - boxes[o + 5]);
  // Slightly smaller, so that rounding never hides a triangle that ties.
  return (dx * dx + dy * dy + dz * dz) * (1 - 1e-12);
}

/** A bounding volume hierarchy of triangles. Node 0 is the root; an inner node's first child follows it. */
export interface TriangleTree {
  /** N×6, low corner and high corner. */
  boxes: Float32Array;
  /** N, number of triangles of a leaf; 0 for an inner node. */
  counts: Int32Array;
  /** N, second child of an inner node; start of a leaf's triangles in `order`. */
  links: Int32Array;
  /** F, the triangles, grouped by leaf. */
  order: Int32Array;
}

const LEAF = 4;

/** Depth from which the list is halved instead of the box. */
const DEEP = 64;

/** Builds the tree by halving the bounding box of the triangle centers along its longest side. */
function buildTriangleTree(mesh: Mesh): TriangleTree {
  const count = triangleCount(mesh);
  const centers = triangleCenters(mesh);
  const order = Int32Array.from({ length: count }, (_, triangle) => triangle);
  const maxNodes = Math.max(1, 2 * count);
  const boxes = new Float32Array(maxNodes * 6);
  const counts = new Int32Array(maxNodes);
  const links = new Int32Array(maxNodes);
  let used = 0;
  const build = (start: number, end: number, depth: number): void => {
    const node = used++;
    growBox(mesh, order, start, end, boxes, node * 6);
    if (end - start <= LEAF) {
      counts[node] = end - start;
      links[node] = start;
      return;
    }
    const middle = splitAt(centers, order, start, end, depth);
    build(start, middle, depth + 1);
    links[node] = used;
    build(middle, end, depth + 1);
  };
  build(0, count, 0);
  return {
    boxes: boxes.slice(0, used * 6),
    counts: counts.slice(0, used),
    links: links.slice(0, used),
    order,
  };
}

function triangleCenters({ positions, triangles }: Mesh): Float32Array {
  const centers = new Float32Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [triangles[f] * 3, triangles[f + 1] * 3, triangles[f + 2] * 3];
    for (let axis = 0; axis < 3; axis++) {
      centers[f + axis] = (positions[a + axis] + positions[b + axis] + positions[c + axis]) / 3;
    }
  }
  return centers;
}

function growBox(
  { positions, triangles }: Mesh,
  order: Int32Array,
  start: number,
  end: number,
  boxes: Float32Array,
  box: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = start; i < end; i++) {
      for (let corner = order[i] * 3; corner < order[i] * 3 + 3; corner++) {
        const value = positions[triangles[corner] * 3 + axis];
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    boxes[box + axis] = low;
    boxes[box + axis + 3] = high;
  }
}

/** Partitions a range of `order` and returns the start of the second half; neither is empty. */
function splitAt(
  centers: Float32Array,
  order: Int32Array,
  start: number,
  end: number,
  depth: number,
): number {
  const half = (start + end) >> 1;
  if (depth >= DEEP) return half;
  const [axis, middle] = longestAxis(centers, order, start, end);
  let low = start;
  let high = end;
  while (low < high) {
    const triangle = order[low];
    if (centers[triangle * 3 + axis] < middle) low++;
    else {
      order[low] = order[--high];
      order[high] = triangle;
    }
  }
  return low === start || low === end ? half : low;
}
