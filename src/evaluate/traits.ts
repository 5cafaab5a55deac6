import { vertexNeighbours } from "../mesh/adjacency.ts";
import { connectedComponents } from "../mesh/components.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import type { Character } from "../weights/character.ts";

/** What makes a character hard for methods that walk inside the body. */
export interface Traits {
  /** Share of the artist's weight on joints that lie outside the body. */
  outOfBody: number;
  /** Share of vertices outside the largest connected part. */
  loose: number;
}

/**
 * Traits of a welded character with the artist's weights.
 *
 * @param grid of this character
 * @param outside one byte a cell, as `fillOutside` gives it
 */
export function traitsOf(character: Character, grid: VoxelGrid, outside: Uint8Array): Traits {
  return { outOfBody: outOfBody(character, grid, outside), loose: loose(character) };
}

function outOfBody(character: Character, grid: VoxelGrid, outside: Uint8Array): number {
  const { skeleton, weights } = character;
  const J = jointCount(skeleton);
  const isOut = new Uint8Array(J);
  for (let joint = 0; joint < J; joint++) {
    const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    isOut[joint] = outside[cellAt(grid, x, y, z)];
  }
  let [sum, total] = [0, 0];
  weights?.weights.forEach((weight, slot) => {
    sum += weight * isOut[weights.joints[slot]];
    total += weight;
  });
  return total === 0 ? 0 : sum / total;
}

function loose({ mesh }: Character): number {
  const V = mesh.positions.length / 3;
  const { count, component } = connectedComponents(vertexNeighbours(mesh.triangles, V));
  const sizes = new Int32Array(count);
  for (const part of component) sizes[part]++;
  return 1 - sizes.reduce((most, size) => Math.max(most, size), 0) / V;
}
