import { inverseIndex, type Lists, takeRows } from "../math/arrays.ts";
import { BLOCK, type SymmetricMatrix } from "../math/sparse-cholesky.ts";
import { createSymmetricSolver } from "../math/symmetric-solver.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { cotangentLaplacian } from "../mesh/cotangent-laplacian.ts";
import { dissectionOrder } from "../mesh/dissection-order.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import {
  emptyWeights,
  readRow,
  type SkinWeights,
  type WeightRow,
  weightIn,
  writeRow,
} from "../weights/skin-weights.ts";

/** Joints a filled row may have; harmonic weights of far joints are next to nothing. */
const MOST_SLOTS = 16;

/** What rounding leaves of a weight of zero. */
const LEAST_WEIGHT = 1e-9;

/**
 * Fills in the weights of some vertices so that they run smoothly between those that are known:
 * harmonic over the surface, each row a mean of its neighbors' by the cotangent Laplacian.
 *
 * Weights stay in [0, 1] and sum to 1, as the Laplacian is that of a random walk. Loose parts are
 * apart: a part without any known vertex keeps rows of zeros.
 *
 * @param mesh welded
 * @param weights V rows; those of unknown vertices are not looked at
 * @param known V, 1 where the row stays as it is
 */
export function inpaintWeights(weights: SkinWeights, mesh: Mesh, known: Uint8Array): SkinWeights {
  const vertices = vertexCount(mesh);
  const out = emptyWeights(vertices, Math.max(weights.influences, MOST_SLOTS));
  const rows = Array.from(known, (isKnown, vertex) =>
    isKnown ? readRow(weights, vertex) : undefined,
  );
  rows.forEach((row, vertex) => {
    if (row) writeRow(out, vertex, row);
  });
  const neighbors = vertexNeighbors(mesh.triangles, vertices);
  const open = openVertices(neighbors, known);
  if (open.length === 0) return out;
  const { matrix } = cotangentLaplacian(mesh, neighbors);
  const inner = restrict(matrix, open);
  const positions = takeRows(mesh.positions, open, 3);
  const regions = connectedComponents(inner.pattern);
  const { order, starts } = dissectionOrder(positions, inner.pattern, regions);
  const solve = createSymmetricSolver(inner, order);
  for (let region = 0; region < regions.count; region++) {
    const [from, to] = [starts[region], starts[region + 1]];
    const members = order.subarray(from, to).map((i) => open[i]);
    const shores = Array.from(members, (vertex) => shoreOf(matrix, known, vertex));
    const joints = jointsAt(shores, rows);
    const filled = fillRegion(shores, rows, joints, (x) => solve(x, from, to));
    members.forEach((vertex, i) => {
      const used = [...joints.keys()].filter((slot) => filled[i][slot] > LEAST_WEIGHT);
      writeRow(out, vertex, {
        joints: used.map((slot) => joints[slot]),
        values: used.map((slot) => filled[i][slot]),
      });
    });
  }
  return out;
}

/** The weights of each joint for each vertex of a region. */
function fillRegion(
  shores: Shore[],
  rows: (WeightRow | undefined)[],
  joints: number[],
  solve: (x: Float64Array) => void,
): number[][] {
  const filled: number[][] = shores.map(() => []);
  for (let first = 0; first < joints.length; first += BLOCK) {
    const block = joints.slice(first, first + BLOCK);
    const x = new Float64Array(shores.length * BLOCK);
    shores.forEach((shore, i) => {
      for (const [vertex, conducts] of shore) {
        const row = rows[vertex]!;
        block.forEach((joint, column) => {
          x[i * BLOCK + column] += conducts * weightIn(row, joint);
        });
      }
    });
    solve(x);
    filled.forEach((row, i) => {
      for (let column = 0; column < block.length; column++) row.push(x[i * BLOCK + column]);
    });
  }
  return filled;
}

/** Unknown vertices in parts that have a known one. */
function openVertices(neighbors: Lists, known: Uint8Array): Int32Array {
  const { count, component } = connectedComponents(neighbors);
  const isReached = new Uint8Array(count);
  component.forEach((part, vertex) => {
    if (known[vertex]) isReached[part] = 1;
  });
  const open: number[] = [];
  component.forEach((part, vertex) => {
    if (!known[vertex] && isReached[part]) open.push(vertex);
  });
  return Int32Array.from(open);
}

/** The rows and columns of some vertices. */
function restrict(
  { diagonal, pattern, values }: SymmetricMatrix,
  kept: Int32Array,
): SymmetricMatrix {
  const place = inverseIndex(kept, diagonal.length);
  const starts = new Int32Array(kept.length + 1);
  const items: number[] = [];
  const inner: number[] = [];
  kept.forEach((vertex, i) => {
    for (let p = pattern.starts[vertex]; p < pattern.starts[vertex + 1]; p++) {
      if (place[pattern.items[p]] < 0) continue;
      items.push(place[pattern.items[p]]);
      inner.push(values[p]);
    }
    starts[i + 1] = items.length;
  });
  return {
    diagonal: Float64Array.from(kept, (vertex) => diagonal[vertex]),
    pattern: { starts, items: Int32Array.from(items) },
    values: Float64Array.from(inner),
  };
}

/** Known neighbors of a vertex, and how well the edge to each conducts. */
type Shore = [vertex: number, conducts: number][];

function shoreOf({ pattern, values }: SymmetricMatrix, known: Uint8Array, vertex: number): Shore {
  const shore: Shore = [];
  for (let p = pattern.starts[vertex]; p < pattern.starts[vertex + 1]; p++) {
    if (known[pattern.items[p]]) shore.push([pattern.items[p], -values[p]]);
  }
  return shore;
}

function jointsAt(shores: Shore[], rows: (WeightRow | undefined)[]): number[] {
  const found = new Set<number>();
  for (const shore of shores) {
    for (const [vertex] of shore) for (const joint of rows[vertex]!.joints) found.add(joint);
  }
  return [...found].sort((a, b) => a - b);
}
