/** What a cell holds. A mesh cell is wall whether or not it also is outside. */
export const HOLLOW = 0;
export const MESH = 1;

/**
 * Cubic cells around the mesh and the joints, with a free margin all round.
 *
 * Cell (x, y, z) has index x + nx * (y + ny * z); its centre is origin + (x + 0.5, ...) * size.
 */
export interface VoxelGrid {
  nx: number;
  ny: number;
  nz: number;
  /** Corner of cell (0, 0, 0). */
  origin: [number, number, number];
  /** Side length of a cell. */
  size: number;
  /** Cells: HOLLOW or MESH. */
  cells: Uint8Array;
}
