import { boundsOf, longestSide } from "../math/aabb.ts";
import type { MirrorPlane } from "../skeleton/joint-pairs.ts";
import type { Character } from "./character.ts";
import { findSymmetry, type Symmetry } from "./symmetry.ts";

/** A character is symmetric if so many of its vertices have surface across from them, and joints an image. */
const VERTICES = 0.9;
const JOINTS = 0.9;
/** How far a joint may stand from its image's place, in longest sides of the mesh. */
const SAME_PLACE = 0.02;

/** Left and right, where a character looks along z, and where it looks along x. */
const AXES: readonly MirrorPlane["axis"][] = [0, 2];

/**
 * The symmetry of a character whose mesh and skeleton are mirror-symmetric; nothing for others.
 *
 * @param character welded, y up
 */
export function characterSymmetry(
  character: Pick<Character, "mesh" | "skeleton">,
): Symmetry | undefined {
  for (const axis of AXES) {
    const symmetry = findSymmetry(character, axis);
    if (isWhole(symmetry, character)) return symmetry;
  }
  return undefined;
}

function isWhole(
  { plane, partners, corners, twins }: Symmetry,
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
): boolean {
  if (share(partners, (partner, v) => partner >= 0 || corners[v * 3] >= 0) < VERTICES) return false;
  const { positions } = skeleton;
  const reach = SAME_PLACE * longestSide(boundsOf(mesh.positions));
  return (
    share(twins, (twin, joint) => {
      if (twin < 0) return false;
      const [a, b] = [positions.subarray(joint * 3), positions.subarray(twin * 3)];
      const image = [a[0], a[1], a[2]];
      image[plane.axis] = 2 * plane.offset - image[plane.axis];
      return Math.hypot(image[0] - b[0], image[1] - b[1], image[2] - b[2]) <= reach;
    }) >= JOINTS
  );
}

function share(list: Int32Array, holds: (value: number, index: number) => boolean): number {
  return list.filter(holds).length / Math.max(1, list.length);
}
