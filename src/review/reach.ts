import type { MeasuredCharacter } from "../distance/measure.ts";
import type { Aabb } from "../math/aabb.ts";
import { connectedComponents, partBoxes, vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { boneCount } from "../skeleton/bones.ts";
import { cellAt, visitNeighbors } from "../voxel/voxel-grid.ts";
import { voxelizeBones } from "../voxel/voxelize-bones.ts";

/** The part of a body that its bones reach without crossing the air. */
export interface BodyReach {
  /** One byte per cell, 1 if a path inside the body, wall included, leads to a bone. */
  cells: Uint8Array;
  /** B, 1 for a bone with a cell inside the body or in its wall. */
  inside: Uint8Array;
}

/** Flood-fills the body from the cells of its bones. */
export function reachBody(measured: Omit<MeasuredCharacter, "distances">): BodyReach {
  const { grid, outside, bones } = measured;
  const reached = new Uint8Array(outside.length);
  const inside = new Uint8Array(boneCount(bones));
  const boneCells = voxelizeBones(bones, grid);
  const open: number[] = [];
  const enter = (cell: number) => {
    if (outside[cell] === 1 || reached[cell] === 1) return;
    reached[cell] = 1;
    open.push(cell);
  };
  for (let b = 0; b < inside.length; b++) {
    // A bone outside the grid is represented at its border.
    if (boneCells.levels[b] > 0) continue;
    for (let i = boneCells.starts[b]; i < boneCells.starts[b + 1]; i++) {
      if (outside[boneCells.cells[i]] === 0) inside[b] = 1;
      enter(boneCells.cells[i]);
    }
  }
  while (open.length > 0) visitNeighbors(grid, open.pop()!, enter);
  return { cells: reached, inside };
}

/**
 * Returns the vertices (V, 1 or 0) of loose parts that no bone reaches: no path inside the body
 * leads to a bone, and no joint lies in the part's bounds, as in an open garment.
 *
 * @returns V, 1 for a vertex of such a part
 */
export function unreachableParts(
  mesh: Mesh,
  { grid, bones }: Pick<MeasuredCharacter, "grid" | "bones">,
  { cells }: BodyReach,
): Uint8Array {
  const { positions, triangles } = mesh;
  const V = vertexCount(mesh);
  const parts = connectedComponents(vertexNeighbors(triangles, V));
  const isReached = Uint8Array.from(partBoxes(positions, parts), (box) =>
    holdsJoint(box, bones.heads) ? 1 : 0,
  );
  for (let v = 0; v < V; v++) {
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    if (cells[cellAt(grid, x, y, z)] === 1) isReached[parts.component[v]] = 1;
  }
  return Uint8Array.from(parts.component, (part) => 1 - isReached[part]);
}

function holdsJoint({ min, max }: Aabb, joints: Float32Array): boolean {
  for (let j = 0; j < joints.length; j += 3) {
    const isOut = (axis: number) => joints[j + axis] < min[axis] || joints[j + axis] > max[axis];
    if (!isOut(0) && !isOut(1) && !isOut(2)) return true;
  }
  return false;
}
