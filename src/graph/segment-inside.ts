import type { Bones } from "../skeleton/bones.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/walk-segment.ts";

/**
 * How much of each segment lies inside the body: a bone of a limb does, the line from a rig's root to a
 * hand does not.
 *
 * @param outside one byte a cell, see `fillOutside`
 * @returns S, 0 to 1
 */
export function segmentInside(
  { segments }: Bones,
  grid: VoxelGrid,
  outside: Uint8Array,
): Float32Array {
  const inside = new Float32Array(segments.length / 6);
  inside.forEach((_, s) => {
    let share = 0;
    let entered = 0;
    let within = false;
    const leave = (at: number): void => {
      if (within) share += at - entered;
    };
    const [head, tail] = [
      segments.subarray(s * 6, s * 6 + 3),
      segments.subarray(s * 6 + 3, s * 6 + 6),
    ];
    walkSegment(grid, head, tail, (cell, enter) => {
      leave(enter);
      [within, entered] = [outside[cell] === 0, enter];
      return true;
    });
    const point = head.every((value, i) => value === tail[i]);
    if (!point) leave(1);
    inside[s] = point ? Number(within) : share;
  });
  return inside;
}
