import { cross, dot } from "../math/vec3.ts";

/** A rotation by right angles: the rows of its matrix. */
export type Rotation = [number[], number[], number[]];

/** The 24 rotations by right angles, the identity first. */
export const RIGHT_ANGLES: readonly Rotation[] = rightAngles();

function rightAngles(): Rotation[] {
  const rotations: Rotation[] = [];
  for (const [a, b, c] of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ]) {
    for (let signs = 0; signs < 8; signs++) {
      const rows = [a, b, c].map((axis, i) => {
        const row = [0, 0, 0];
        row[axis] = signs & (1 << i) ? -1 : 1;
        return row;
      }) as Rotation;
      // Reflections are excluded.
      if (dot(rows[0], cross(rows[1], rows[2])) > 0) rotations.push(rows);
    }
  }
  return rotations;
}

/** Returns the angle of a rotation in right angles, 0 to 2. */
export function angleOf(rotation: Rotation): number {
  const trace = rotation[0][0] + rotation[1][1] + rotation[2][2];
  return Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) / (Math.PI / 2);
}

/** Rotates points, N×3, about the origin. */
export function rotatePoints(positions: Float32Array, rotation: Rotation): Float32Array {
  return positions.map((_, i) => {
    const at = i - (i % 3);
    return rotation[i % 3].reduce((sum, factor, axis) => sum + factor * positions[at + axis], 0);
  });
}
