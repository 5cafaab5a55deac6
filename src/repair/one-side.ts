import type { Character } from "../character/character.ts";
import { findSides } from "../character/symmetry.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import { addWeight, type WeightRow } from "../weights/skin-weights.ts";

/** Minimum distance from the mirror plane of a vertex that belongs to one side, in longest sides. */
const SIDED = 0.02;
/** Smaller weights on the other side are invisible and stay. */
const VISIBLE = 0.02;

/**
 * Gives the weight of joints across the mirror plane to their mirror images: a left boot does not follow
 * the right foot. A joint belongs to the side on which it lies, whatever its name, so crossed arms stay
 * crossed. Does nothing if the skeleton is not mirror-symmetric.
 *
 * @param character welded
 * @param rows V rows, changed in place; rows are replaced, not modified
 * @param only vertices to change; all by default
 * @returns the changed vertices
 */
export function keepToOneSide(
  character: Pick<Character, "mesh" | "skeleton">,
  rows: WeightRow[],
  only: Iterable<number> = rows.keys(),
): number[] {
  const sides = findSides(character);
  if (!sides) return [];
  const { positions } = character.mesh;
  const { axis, offset } = sides.plane;
  const near = SIDED * longestSide(boundsOf(positions));
  const changed: number[] = [];
  for (const v of only) {
    const from = positions[v * 3 + axis] - offset;
    if (Math.abs(from) <= near) continue;
    const { joints, values } = rows[v];
    const isAcross = (slot: number) =>
      sides.joints[joints[slot]] === -Math.sign(from) && values[slot] > VISIBLE;
    if (!joints.some((_, slot) => isAcross(slot))) continue;
    const row: WeightRow = { joints: [], values: [] };
    joints.forEach((joint, slot) => {
      addWeight(row, isAcross(slot) ? sides.twins[joint] : joint, values[slot]);
    });
    rows[v] = row;
    changed.push(v);
  }
  return changed;
}
