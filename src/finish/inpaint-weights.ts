import { runSteps, type Steps } from "../event-loop.ts";
import { inverseIndex, type Lists, takeRows } from "../math/arrays.ts";
import { BLOCK, createSymmetricSolver, type SymmetricMatrix } from "../math/symmetric-solver.ts";
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

/** Maximum joints of a filled row; harmonic weights of far joints are negligible. */
const MAX_SLOTS = 16;

/** Rounding error of a zero weight. */
const MIN_WEIGHT = 1e-9;

/**
 * Fills the weights of unknown vertices smoothly between known ones: harmonic over the surface, by
 * the cotangent Laplacian.
 *
 * Rows stay in [0, 1] and sum to 1, because the Laplacian is that of a random walk. A loose part
 * without a known vertex keeps rows of zeros.
 *
 * @param mesh welded
 * @param weights V rows; unknown ones are ignored
 * @param known V, 1 if the row is kept
 */
export function inpaintWeights(weights: SkinWeights, mesh: Mesh, known: Uint8Array): SkinWeights {
  return runSteps(inpaintSteps(weights, mesh, known));
}

/** {@link inpaintWeights} in steps. */
export function* inpaintSteps(
  weights: SkinWeights,
  mesh: Mesh,
  known: Uint8Array,
): Steps<SkinWeights> {
  const vertices = vertexCount(mesh);
  const out = emptyWeights(vertices, Math.max(weights.influences, MAX_SLOTS));
  const rows = Array.from(known, (isKnown, vertex) =>
    isKnown ? readRow(weights, vertex) : undefined,
  );
  rows.forEach((row, vertex) => {
    if (row) writeRow(out, vertex, row);
  });
  const neighbors = vertexNeighbors(mesh.triangles, vertices);
  const open = openVertices(neighbors, known);
  if (open.length === 0) return out;
  yield;
  const { matrix } = cotangentLaplacian(mesh, neighbors);
  yield;
  const inner = restrict(matrix, open);
  const positions = takeRows(mesh.positions, open, 3);
  const regions = connectedComponents(inner.pattern);
  const { order, starts } = dissectionOrder(positions, inner.pattern, regions);
  yield;
  const solve = createSymmetricSolver(inner, order);
  for (let region = 0; region < regions.count; region++) {
    yield;
    const [from, to] = [starts[region], starts[region + 1]];
    const members = order.subarray(from, to).map((i) => open[i]);
    const boundaries = Array.from(members, (vertex) => boundaryOf(matrix, known, vertex));
    const joints = jointsAt(boundaries, rows);
    const filled = yield* fillSteps(boundaries, rows, joints, (x) => solve(x, from, to));
    members.forEach((vertex, i) => {
      const used = [...joints.keys()].filter((slot) => filled[i][slot] > MIN_WEIGHT);
      writeRow(out, vertex, {
        joints: used.map((slot) => joints[slot]),
        values: used.map((slot) => filled[i][slot]),
      });
    });
  }
  return out;
}

/** Returns the weights of each joint for each vertex of a region. */
function* fillSteps(
  boundaries: Boundary[],
  rows: (WeightRow | undefined)[],
  joints: number[],
  solve: (x: Float64Array) => void,
): Steps<number[][]> {
  const filled: number[][] = boundaries.map(() => []);
  for (let first = 0; first < joints.length; first += BLOCK) {
    const block = joints.slice(first, first + BLOCK);
    const x = new Float64Array(boundaries.length * BLOCK);
    boundaries.forEach((boundary, i) => {
      for (const [vertex, conductance] of boundary) {
        const row = rows[vertex]!;
        block.forEach((joint, column) => {
          x[i * BLOCK + column] += conductance * weightIn(row, joint);
        });
      }
    });
    solve(x);
    filled.forEach((row, i) => {
      for (let column = 0; column < block.length; column++) row.push(x[i * BLOCK + column]);
    });
    yield;
  }
  return filled;
}

/** Returns unknown vertices in parts with a known one. */
function openVertices(neighbors: Lists, known: Uint8Array): Int32Array {
  const { count, component } = connectedComponents(neighbors);
  const isReached = new Uint8Array(count);
  component.forEach((part, vertex) => {
    if (known[vertex]) isReached[part] = 1;
  });
  return Int32Array.from(component.keys()).filter(
    (vertex) => !known[vertex] && isReached[component[vertex]],
  );
}

/** Returns the submatrix of some vertices. */
function restrict(
  { diagonal, pattern, values }: SymmetricMatrix,
  kept: Int32Array,
): SymmetricMatrix {
  const index = inverseIndex(kept, diagonal.length);
  const starts = new Int32Array(kept.length + 1);
  const items: number[] = [];
  const inner: number[] = [];
  kept.forEach((vertex, i) => {
    for (let p = pattern.starts[vertex]; p < pattern.starts[vertex + 1]; p++) {
      if (index[pattern.items[p]] < 0) continue;
      items.push(index[pattern.items[p]]);
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

/** Known neighbors of a vertex and the conductance of the edge to each. */
type Boundary = [vertex: number, conducts: number][];

function boundaryOf(
  { pattern, values }: SymmetricMatrix,
  known: Uint8Array,
  vertex: number,
): Boundary {
  const boundary: Boundary = [];
  for (let p = pattern.starts[vertex]; p < pattern.starts[vertex + 1]; p++) {
    if (known[pattern.items[p]]) boundary.push([pattern.items[p], -values[p]]);
  }
  return boundary;
}

function jointsAt(boundaries: Boundary[], rows: (WeightRow | undefined)[]): number[] {
  const found = boundaries.flatMap((edges) => edges.flatMap(([vertex]) => rows[vertex]!.joints));
  return [...new Set(found)].sort((a, b) => a - b);
}
