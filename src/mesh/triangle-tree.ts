import { longestAxis } from "./longest-axis.ts";
import { type Mesh, triangleCount } from "./mesh.ts";

/**
 * A tree of boxes around triangles. Node 0 is the root; the first child of an inner node follows it.
 */
export interface TriangleTree {
  /** N×6, low corner and high corner. */
  boxes: Float32Array;
  /** N, triangles of a leaf; 0 for an inner node. */
  counts: Int32Array;
  /** N, second child of an inner node; for a leaf the start of its triangles in `order`. */
  links: Int32Array;
  /** F, the triangles, those of a leaf side by side. */
  order: Int32Array;
}

/** Triangles in a leaf at most. */
const LEAF = 4;

/** Halving the box this often separates what can be separated; below it, halve the list instead. */
const DEEP = 64;

/** Builds the tree by halving the box of the triangles' centres along its longest side. */
export function buildTriangleTree(mesh: Mesh): TriangleTree {
  const count = triangleCount(mesh);
  const centers = triangleCenters(mesh);
  const order = Int32Array.from({ length: count }, (_, triangle) => triangle);
  const most = Math.max(1, 2 * count);
  const boxes = new Float32Array(most * 6);
  const counts = new Int32Array(most);
  const links = new Int32Array(most);
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
    const a = triangles[f] * 3;
    const b = triangles[f + 1] * 3;
    const c = triangles[f + 2] * 3;
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

/** Sorts a stretch of `order` into two and returns where the second begins; neither is empty. */
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
    if (centers[triangle * 3 + axis] < middle) {
      low++;
    } else {
      order[low] = order[--high];
      order[high] = triangle;
    }
  }
  return low === start || low === end ? half : low;
}
