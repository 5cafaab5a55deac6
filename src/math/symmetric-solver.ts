import { inverseIndex, type Lists } from "./arrays.ts";

/**
 * Multiplications beyond which the system is solved iteratively. Surfaces take 30-70 V^1.5; random
 * connectivity takes thousands of V^1.5.
 */
const maxWork = (vertices: number): number => 1e9 + 300 * vertices * Math.sqrt(vertices);

/** Solves for {@link BLOCK} right-hand sides in place, in the independent range `from` .. `to` of the order. */
type SymmetricSolver = (x: Float64Array, from: number, to: number) => void;

/** Factors a positive definite matrix, or iterates if the factor would be too large. */
export function createSymmetricSolver(matrix: SymmetricMatrix, order: Int32Array): SymmetricSolver {
  if (choleskyWork(matrix.pattern, order, maxWork(order.length)) === Infinity) {
    return (x, from, to) => solveConjugateGradient(matrix, order, x, from, to);
  }
  const factor = factorCholesky(matrix, order);
  return (x, from, to) => solveCholesky(factor, x, from, to);
}

/** Residual relative to the right-hand side; weights are stored with less precision. */
const TOLERANCE = 1e-7;

/** Iteration limit for systems that do not converge because of rounding. */
const MAX_STEPS = 2000;

/**
 * Solves for several right-hand sides, in place, by conjugate gradients, for matrices whose factor would be
 * too large. The arguments are those of `solveCholesky`, with the matrix instead of its factor.
 *
 * Based on: Hestenes and Stiefel. Methods of conjugate gradients for solving linear systems. 1952;
 * preconditioned by the diagonal.
 *
 * @param order N, a permutation in which the rows `from` .. `to` - 1 are complete components of the graph
 * @param x (to - from)×BLOCK in that order: right-hand sides in, solutions out
 */
export function solveConjugateGradient(
  matrix: SymmetricMatrix,
  order: Int32Array,
  x: Float64Array,
  from = 0,
  to: number = order.length,
): void {
  const rank = new Int32Array(order.length);
  for (let i = from; i < to; i++) rank[order[i]] = i - from;
  const rows = order.subarray(from, to);
  const right = new Float64Array(to - from);
  for (let column = 0; column < BLOCK; column++) {
    for (let i = 0; i < right.length; i++) right[i] = x[i * BLOCK + column];
    const solution = solveOne(matrix, rows, rank, right);
    for (let i = 0; i < right.length; i++) x[i * BLOCK + column] = solution[i];
  }
}

/** Overwrites `residual`, the right-hand side. */
function solveOne(
  matrix: SymmetricMatrix,
  rows: Int32Array,
  rank: Int32Array,
  residual: Float64Array,
): Float64Array {
  const size = residual.length;
  const solution = new Float64Array(size);
  const direction = new Float64Array(size);
  const image = new Float64Array(size);
  const smallEnough = TOLERANCE ** 2 * dot(residual, residual);
  let last = 0;
  for (let step = 0; step < MAX_STEPS && dot(residual, residual) > smallEnough; step++) {
    let energy = 0;
    for (let i = 0; i < size; i++) energy += residual[i] ** 2 / matrix.diagonal[rows[i]];
    const keep = step === 0 ? 0 : energy / last;
    last = energy;
    for (let i = 0; i < size; i++) {
      direction[i] = residual[i] / matrix.diagonal[rows[i]] + keep * direction[i];
    }
    multiply(matrix, rows, rank, direction, image);
    const length = energy / dot(direction, image);
    for (let i = 0; i < size; i++) {
      solution[i] += length * direction[i];
      residual[i] -= length * image[i];
    }
  }
  return solution;
}

function multiply(
  { diagonal, pattern, values }: SymmetricMatrix,
  rows: Int32Array,
  rank: Int32Array,
  x: Float64Array,
  out: Float64Array,
): void {
  const { starts, items } = pattern;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    let sum = diagonal[row] * x[i];
    for (let p = starts[row]; p < starts[row + 1]; p++) sum += values[p] * x[rank[items[p]]];
    out[i] = sum;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** A sparse symmetric N×N matrix. */
export interface SymmetricMatrix {
  /** N. */
  diagonal: Float64Array;
  /** N symmetric rows without the diagonal. */
  pattern: Lists;
  /** One value per item of `pattern`, symmetric. */
  values: Float64Array;
}

/** P A Pᵀ = L D Lᵀ, with ones on the diagonal of L. */
interface CholeskyFactor {
  /** N, the row of A at row i of the factor. */
  order: Int32Array;
  /** N+1, the columns of L below the diagonal; rows ascend in each. */
  starts: Int32Array;
  rows: Int32Array;
  values: Float64Array;
  /** N, 1 / D. */
  inverseDiagonal: Float64Array;
}

/**
 * Factors a sparse symmetric positive definite matrix, row by row (up-looking), in the given order.
 *
 * The order determines the fill-in: {@link dissectionOrder} is made for surfaces. Components that are
 * contiguous in the order stay separate in the factor, so each can be solved alone.
 *
 * Throws if a pivot is not positive: the matrix is not positive definite.
 * Based on: Davis. Algorithm 849: a concise sparse Cholesky factorization package. 2005.
 */
export function factorCholesky(matrix: SymmetricMatrix, order: Int32Array): CholeskyFactor {
  const { diagonal, pattern, values } = matrix;
  const count = diagonal.length;
  const rank = inverseIndex(order, count);
  const { parent, starts } = analyze(pattern, order, rank);
  const rows = new Int32Array(starts[count]);
  const lower = new Float64Array(starts[count]);
  const inverseDiagonal = new Float64Array(count);
  const ends = starts.slice(0, count);
  const row = new Float64Array(count);
  const path = new Int32Array(count);
  const seen = new Int32Array(count).fill(-1);
  for (let k = 0; k < count; k++) {
    let top = count;
    const source = order[k];
    seen[k] = k;
    for (let item = pattern.starts[source]; item < pattern.starts[source + 1]; item++) {
      let i = rank[pattern.items[item]];
      if (i > k) continue;
      row[i] = values[item];
      let length = 0;
      for (; seen[i] !== k; i = parent[i]) {
        path[length++] = i;
        seen[i] = k;
      }
      while (length > 0) path[--top] = path[--length];
    }
    let pivot = diagonal[source];
    for (; top < count; top++) {
      const i = path[top];
      const value = row[i];
      row[i] = 0;
      const end = ends[i];
      for (let p = starts[i]; p < end; p++) row[rows[p]] -= lower[p] * value;
      const entry = value * inverseDiagonal[i];
      pivot -= entry * value;
      rows[end] = k;
      lower[end] = entry;
      ends[i] = end + 1;
    }
    if (!(pivot > 0)) {
      throw new Error(
        `factorCholesky: the matrix must be positive definite, pivot ${k} is ${pivot}.`,
      );
    }
    inverseDiagonal[k] = 1 / pivot;
  }
  return { order, starts, rows, values: lower, inverseDiagonal };
}

/** Counts the multiplications of {@link factorCholesky} from the pattern; Infinity if more than `limit`. */
export function choleskyWork(pattern: Lists, order: Int32Array, limit: number = Infinity): number {
  const rank = inverseIndex(order, order.length);
  const counts = new Int32Array(order.length);
  let work = 0;
  walkRows(pattern, order, rank, (i) => {
    // A column of n entries costs n²; this one grows from n to n + 1.
    work += 2 * counts[i]++ + 1;
    return work <= limit;
  });
  return work <= limit ? work : Infinity;
}

/** Returns the elimination tree, and the start of each column of L. */
function analyze(pattern: Lists, order: Int32Array, rank: Int32Array) {
  const count = order.length;
  const starts = new Int32Array(count + 1);
  const parent = walkRows(pattern, order, rank, (i) => {
    starts[i + 1]++;
    return true;
  });
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k];
  return { parent, starts };
}

/** Visits the column of each entry of L, row by row, until `visit` returns false; returns the tree. */
function walkRows(
  pattern: Lists,
  order: Int32Array,
  rank: Int32Array,
  visit: (column: number) => boolean,
): Int32Array {
  const parent = new Int32Array(order.length).fill(-1);
  const seen = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) {
    seen[k] = k;
    const source = order[k];
    for (let item = pattern.starts[source]; item < pattern.starts[source + 1]; item++) {
      let i = rank[pattern.items[item]];
      if (i > k) continue;
      for (; seen[i] !== k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        if (!visit(i)) return parent;
        seen[i] = k;
      }
    }
  }
  return parent;
}

/** Right-hand sides solved together: each entry of L is fetched once for all. */
export const BLOCK = 4;

/**
 * Solves for {@link BLOCK} right-hand sides at once, in place, over the rows `from` .. `to` - 1 of the factor,
 * which must be complete components of the graph.
 *
 * @param x (to - from)×BLOCK in the factor's order: right-hand sides in, solutions out
 */
export function solveCholesky(
  factor: CholeskyFactor,
  x: Float64Array,
  from = 0,
  to: number = factor.order.length,
): void {
  const { starts, rows, values, inverseDiagonal } = factor;
  for (let i = from; i < to; i++) {
    const at = (i - from) * 4;
    const [a, b, c, d] = [x[at], x[at + 1], x[at + 2], x[at + 3]];
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    for (let p = starts[i]; p < starts[i + 1]; p++) {
      const value = values[p];
      const to4 = (rows[p] - from) * 4;
      x[to4] -= value * a;
      x[to4 + 1] -= value * b;
      x[to4 + 2] -= value * c;
      x[to4 + 3] -= value * d;
    }
  }
  for (let i = to - 1; i >= from; i--) {
    const at = (i - from) * 4;
    const inverse = inverseDiagonal[i];
    let a = x[at] * inverse;
    let b = x[at + 1] * inverse;
    let c = x[at + 2] * inverse;
    let d = x[at + 3] * inverse;
    for (let p = starts[i]; p < starts[i + 1]; p++) {
      const value = values[p];
      const from4 = (rows[p] - from) * 4;
      a -= value * x[from4];
      b -= value * x[from4 + 1];
      c -= value * x[from4 + 2];
      d -= value * x[from4 + 3];
    }
    x[at] = a;
    x[at + 1] = b;
    x[at + 2] = c;
    x[at + 3] = d;
  }
}
