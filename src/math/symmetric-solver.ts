import { solveConjugateGradient } from "./conjugate-gradient.ts";
import {
  choleskyWork,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
} from "./sparse-cholesky.ts";

/**
 * Multiplications of a factorisation, beyond which the system is solved by iteration. Surfaces take
 * 30-70 V^1.5; triangles between random vertices fill the factor (4,500 V^1.5 at 3,000 vertices).
 */
const mostWork = (vertices: number): number => 1e9 + 300 * vertices ** 1.5;

/**
 * Solves for {@link BLOCK} right-hand sides in place, in the part of the order from `from` to `to`, which no
 * other part touches.
 */
export type SymmetricSolver = (x: Float64Array, from: number, to: number) => void;

/** Factors a positive definite matrix, or iterates where the factor would be too large. */
export function createSymmetricSolver(matrix: SymmetricMatrix, order: Int32Array): SymmetricSolver {
  if (choleskyWork(matrix.pattern, order, mostWork(order.length)) === Infinity) {
    return (x, from, to) => solveConjugateGradient(matrix, order, x, from, to);
  }
  const factor = factorCholesky(matrix, order);
  return (x, from, to) => solveCholesky(factor, x, from, to);
}
