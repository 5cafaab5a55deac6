/**
 * Vertices of a character that belong to one place of its file: the primitives of one mesh that share
 * their vertex data.
 */
export interface MeshPart {
  /** Index of the mesh in the file. */
  mesh: number;
  /** Indices of the primitives of that mesh. */
  primitives: number[];
  /** The nodes that show the mesh with these weights. */
  nodes: number[];
  /** Index of the skin in the file, -1 where the mesh has none yet. */
  skin: number;
  /** From the file's vertices to character space, 16 numbers. */
  toCharacter: number[];
  /** First vertex in Character.mesh. */
  first: number;
  /** Number of vertices. */
  count: number;
}
