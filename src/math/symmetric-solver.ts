import {
  BLOCK,
  choleskyWork,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
} from "./sparse-cholesky.ts";

/**
 * Multiplications beyond which the system is solved iteratively. Surfaces take 30-70 V^1.5; random
 * connectivity takes thousands of V^1.5.
 */
const maxWork = (vertices: number): number => 1e9 + 300 * vertices * Math.sqrt(vertices);

/** Solves for {@link BLOCK} right-hand sides in place, in the independent range `from` .. `to` of the order. */
export type SymmetricSolver = (x: Float64Array, from: number, to: number) => void;

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
