/** The K nearest bones of each vertex under one distance, nearest first (ties: lower bone first). */
export interface BoneDistances {
  /** Slots per vertex; a character with fewer bones leaves the last slots empty. */
  k: number;
  /** V×K bone indices, -1 in an empty slot. */
  bones: Int32Array;
  /** V×K in units of the mesh, Infinity in an empty slot or where no path exists. */
  distances: Float32Array;
}
