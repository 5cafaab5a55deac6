import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance } from "../math/vec3.ts";
import type { MirrorPlane } from "../skeleton/joint-pairs.ts";
import type { Character } from "./character.ts";
import { findSymmetry, mirroredCount, type Symmetry } from "./symmetry.ts";

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
  symmetry: Symmetry,
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
): boolean {
  const { plane, partners, twins } = symmetry;
  if (mirroredCount(symmetry) / Math.max(1, partners.length) < VERTICES) return false;
  const { positions } = skeleton;
  const reach = SAME_PLACE * longestSide(boundsOf(mesh.positions));
  const paired = twins.filter((twin, joint) => {
    if (twin < 0) return false;
    const image = [...positions.subarray(joint * 3, joint * 3 + 3)];
    image[plane.axis] = 2 * plane.offset - image[plane.axis];
    return distance(image, positions.subarray(twin * 3)) <= reach;
  });
  return paired.length / Math.max(1, twins.length) >= JOINTS;
}
