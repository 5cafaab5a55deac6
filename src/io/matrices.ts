import { identityMat4, invertMat4, multiplyMat4, type ReadonlyMat4 } from "../math/mat4.ts";

/** a · b, b applied first. */
export function product(a: ReadonlyMat4, b: ReadonlyMat4): number[] {
  return multiplyMat4(new Array<number>(16), a, b);
}

/** The inverse, or the identity where a matrix flattens space: files must be read all the same. */
export function inverseOf(matrix: ReadonlyMat4): number[] {
  return invertMat4(identityMat4(), matrix) ?? identityMat4();
}

/** A copy whose last row is 0 0 0 1, which rounding must not spoil where it is stored. */
export function affine(matrix: number[]): number[] {
  return matrix.map((value, i) => (i % 4 === 3 ? Number(i === 15) : value));
}

/** Whether two matrices agree to a thousandth of the second's largest number. */
export function nearlyEqual(a: number[], b: number[]): boolean {
  const size = Math.max(...b.map(Math.abs));
  return a.every((value, i) => Math.abs(value - b[i]) <= 1e-3 * size);
}
