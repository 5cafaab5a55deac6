/** Who moves whom: for each vertex its joints, heaviest first. */
export interface SkinWeights {
  /** I, slots per vertex. */
  influences: number;
  /** V×I joint indices; 0 in an unused slot. */
  joints: Uint16Array;
  /** V×I, >= 0, descending in each row, each row sums to 1; 0 in an unused slot. */
  weights: Float32Array;
}
