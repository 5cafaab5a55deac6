import { type Aabb, boundsOf } from "../math/aabb.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/**
 * Maps a skeleton from the bounding box of its own mesh to that of another; without a mesh of its own, from
 * the bounding box of its joints.
 */
export function boxPlacement(skeleton: Skeleton, own: Mesh | undefined, target: Mesh): Skeleton {
  const from = boundsOf(own && vertexCount(own) > 0 ? own.positions : skeleton.positions);
  return {
    ...skeleton,
    positions: boxMapped(skeleton.positions, from, boundsOf(target.positions)),
  };
}

/** Maps points, N×3, from one box to another; a flat side is only moved. */
export function boxMapped(points: Float32Array, from: Aabb, to: Aabb): Float32Array {
  const factors = [0, 1, 2].map((axis) => {
    const [old, now] = [from.max[axis] - from.min[axis], to.max[axis] - to.min[axis]];
    return old > 1e-6 * now ? now / old : 1;
  });
  return points.map((value, i) => {
    const axis = i % 3;
    const old = (from.min[axis] + from.max[axis]) / 2;
    return (to.min[axis] + to.max[axis]) / 2 + (value - old) * factors[axis];
  });
}
