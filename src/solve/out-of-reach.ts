import { boundsOf, chebyshevDistance, longestSide } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** In longest sides of the mesh: nobody is moved from farther away, unless there is nobody nearer. */
export const FARTHEST_BONE = 2;

/**
 * Joints that, with all that hangs on them, lie farther from the mesh than any artist moves a vertex from: a
 * control somebody left at the end of the world.
 *
 * @returns J, 1 where out of reach; all 0 where every joint is
 */
export function outOfReach({ mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton }): Uint8Array {
  const { positions, parents } = skeleton;
  const box = boundsOf(mesh.positions);
  const reach = FARTHEST_BONE * longestSide(box);
  const far = new Uint8Array(parents.length).fill(1);
  for (let joint = 0; joint < far.length; joint++) {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    if (chebyshevDistance(box, x, y, z) > reach) continue;
    // Whatever it hangs on is needed.
    for (let at = joint; at >= 0 && far[at] === 1; at = parents[at]) far[at] = 0;
  }
  return far.includes(0) ? far : far.fill(0);
}
