/**
 * Who moves whom: for each vertex its joints, heaviest first.
 *
 * @example
 * // Two vertices: one follows joint 3, one is shared by joints 0 and 1.
 * const made: SkinWeights = {
 *   influences: 2,
 *   joints: Uint16Array.of(3, 0, 0, 1),
 *   weights: Float32Array.of(1, 0, 0.75, 0.25),
 * };
 */
export interface SkinWeights {
  /** I, slots per vertex. */
  influences: number;
  /** V×I joint indices; 0 in an unused slot. */
  joints: Uint16Array;
  /** V×I, >= 0, descending in each row, each row sums to 1; 0 in an unused slot. */
  weights: Float32Array;
}
