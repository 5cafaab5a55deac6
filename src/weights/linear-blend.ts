import type { SkinWeights } from "./skin-weights.ts";

/**
 * Moves vertices by the weighted mean of their joints' matrices (linear blend skinning).
 *
 * A vertex without any weight stays where it is.
 *
 * @param positions V×3, bind pose
 * @param matrices J×16 from bind pose to pose, column by column, as `forwardKinematics` gives them
 * @returns V×3
 *
 * @example
 * const rotations = Float32Array.from({ length: character.skeleton.names.length * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0));
 * const matrices = forwardKinematics(character.skeleton, rotations);
 * console.log(linearBlend(character.mesh.positions, weights, matrices)); // V×3
 */
export function linearBlend(
  positions: Float32Array,
  weights: SkinWeights,
  matrices: Float32Array,
): Float32Array {
  const { influences, joints, weights: shares } = weights;
  const posed = new Float32Array(positions.length);
  for (let vertex = 0; vertex * 3 < positions.length; vertex++) {
    const at = vertex * 3;
    const [px, py, pz] = [positions[at], positions[at + 1], positions[at + 2]];
    let [x, y, z, total] = [0, 0, 0, 0];
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
      const share = shares[slot];
      if (share === 0) continue;
      const m = joints[slot] * 16;
      x +=
        share * (matrices[m] * px + matrices[m + 4] * py + matrices[m + 8] * pz + matrices[m + 12]);
      y +=
        share *
        (matrices[m + 1] * px + matrices[m + 5] * py + matrices[m + 9] * pz + matrices[m + 13]);
      z +=
        share *
        (matrices[m + 2] * px + matrices[m + 6] * py + matrices[m + 10] * pz + matrices[m + 14]);
      total += share;
    }
    posed[at] = total === 0 ? px : x;
    posed[at + 1] = total === 0 ? py : y;
    posed[at + 2] = total === 0 ? pz : z;
  }
  return posed;
}
