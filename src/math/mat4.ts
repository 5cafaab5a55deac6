import type { ReadonlyVec3, Vec3 } from "./vec3.ts";

/** 16 numbers of a 4×4 matrix, column-major as in glTF: the translation is at 12, 13, 14. */
export type Mat4 = Float32Array | Float64Array | number[];

/** Any 16 numbers read as a matrix, column-major. */
export type ReadonlyMat4 = ArrayLike<number>;
/** Returns the identity. */
export function identityMat4(): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

/** Writes a · b (b is applied first) to `out`, which may be a or b. */
export function multiplyMat4<T extends Mat4>(out: T, a: ReadonlyMat4, b: ReadonlyMat4): T {
  const product = new Array<number>(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      product[column * 4 + row] = sum;
    }
  }
  for (let i = 0; i < 16; i++) out[i] = product[i];
  return out;
}

/** Returns the matrix that scales, then rotates by a unit quaternion, then translates, as a glTF node does. */
export function composeMat4(
  translation: ReadonlyVec3,
  rotation: ArrayLike<number>,
  scale: ReadonlyVec3 = [1, 1, 1],
): number[] {
  const [x, y, z, w] = [rotation[0], rotation[1], rotation[2], rotation[3]];
  const [sx, sy, sz] = [scale[0], scale[1], scale[2]];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + w * z) * sx,
    2 * (x * z - w * y) * sx,
    0,
    2 * (x * y - w * z) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + w * x) * sy,
    0,
    2 * (x * z + w * y) * sz,
    2 * (y * z - w * x) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    translation[0],
    translation[1],
    translation[2],
    1,
  ];
}

/** Applies m to a point: rotation, scale and translation. */
export function transformPoint(m: ReadonlyMat4, p: ReadonlyVec3): Vec3 {
  return [
    m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
    m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
  ];
}

/** Applies m to a direction: no translation. */
export function transformDirection(m: ReadonlyMat4, d: ReadonlyVec3): Vec3 {
  return [
    m[0] * d[0] + m[4] * d[1] + m[8] * d[2],
    m[1] * d[0] + m[5] * d[1] + m[9] * d[2],
    m[2] * d[0] + m[6] * d[1] + m[10] * d[2],
  ];
}

/** Returns the determinant of an affine matrix (last row 0 0 0 1); negative if it mirrors. */
export function determinantMat4(m: ReadonlyMat4): number {
  return (
    m[0] * (m[5] * m[10] - m[9] * m[6]) -
    m[4] * (m[1] * m[10] - m[9] * m[2]) +
    m[8] * (m[1] * m[6] - m[5] * m[2])
  );
}

/**
 * Writes the inverse of an affine matrix (last row 0 0 0 1) to `out`, which may be m.
 *
 * @returns out, or undefined (out unchanged) if m is singular
 */
export function invertMat4<T extends Mat4>(out: T, m: ReadonlyMat4): T | undefined {
  const f = 1 / determinantMat4(m);
  if (!Number.isFinite(f)) return undefined;
  const inverse = [
    (m[5] * m[10] - m[9] * m[6]) * f,
    (m[9] * m[2] - m[1] * m[10]) * f,
    (m[1] * m[6] - m[5] * m[2]) * f,
    0,
    (m[8] * m[6] - m[4] * m[10]) * f,
    (m[0] * m[10] - m[8] * m[2]) * f,
    (m[4] * m[2] - m[0] * m[6]) * f,
    0,
    (m[4] * m[9] - m[8] * m[5]) * f,
    (m[8] * m[1] - m[0] * m[9]) * f,
    (m[0] * m[5] - m[4] * m[1]) * f,
    0,
  ];
  const moved = transformDirection(inverse, [m[12], m[13], m[14]]);
  for (let i = 0; i < 12; i++) out[i] = inverse[i];
  for (let axis = 0; axis < 3; axis++) out[12 + axis] = -moved[axis];
  out[15] = 1;
  return out;
}

/** Returns a · b (b is applied first). */
export function product(a: ReadonlyMat4, b: ReadonlyMat4): number[] {
  return multiplyMat4(new Array<number>(16), a, b);
}

/** Returns the inverse, or the identity if the matrix is singular. */
export function inverseOf(matrix: ReadonlyMat4): number[] {
  return invertMat4(identityMat4(), matrix) ?? identityMat4();
}

/** Returns a copy whose last row is exactly 0 0 0 1. */
export function affine(matrix: number[]): number[] {
  return matrix.map((value, i) => (i % 4 === 3 ? Number(i === 15) : value));
}

/** Whether two matrices agree to a thousandth of the second's largest element. */
export function nearlyEqual(a: number[], b: number[]): boolean {
  const size = Math.max(...b.map(Math.abs));
  return a.every((value, i) => Math.abs(value - b[i]) <= 1e-3 * size);
}
