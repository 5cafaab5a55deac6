import type { MeasuredCharacter } from "../distance/measure.ts";
import type { Aabb } from "../math/aabb.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { connectedComponents } from "../mesh/components.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { partBoxes } from "../mesh/part-boxes.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import type { BodyReach } from "./reach-body.ts";

/**
 * The vertices of loose parts that hang in the air: no path inside the body leads from them to a
 * bone, and no joint lies in the box around them (an open garment has its bones in the air too).
 *
 * Such a part gets its weights across a gap, from whichever bone is near.
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
  const parts = connectedComponents(vertexNeighbours(triangles, V));
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
