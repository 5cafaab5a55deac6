/** Where artists put the joints with a role: what fitted templates are compared with, and learn from. */
import type { Vec3 } from "../src/math/vec3.ts";
import type { Front } from "../src/skeleton/find-up.ts";
import { jointsWithRole, type RolePart, type SkeletonRoles } from "../src/skeleton/roles.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";

export type Side = 1 | -1 | 0;

/** An artist's skeleton with its roles. */
export interface ArtistSkeleton {
  skeleton: Skeleton;
  roles: SkeletonRoles;
}

/** Returns the position of the joint with a role: the first of several, but the hips next to the legs. */
export function artistJoint(
  { skeleton, roles }: ArtistSkeleton,
  part: RolePart,
  side: Side,
  limb: number,
): Vec3 | undefined {
  const joint = jointsWithRole(roles, part, side, limb).at(part === "hips" ? -1 : 0);
  if (joint === undefined) return undefined;
  return [0, 1, 2].map((axis) => skeleton.positions[joint * 3 + axis]) as Vec3;
}

/** Joints that lie along an axis have this much of their distance along it. */
const ALONG = 0.9;

/**
 * Returns where a quadruped faces, from its front and hind legs, and whether its joints named left are on the
 * right, as in some mirrored exports; undefined if it faces along no axis.
 */
export function artistFront(
  artist: ArtistSkeleton,
): { front: Front; isMirrored: boolean } | undefined {
  if (artist.roles.kind !== "quadruped") return undefined;
  const middle = (limb: number): Vec3 | undefined => {
    const sides = ([1, -1] as const).map((side) => artistJoint(artist, "upperLeg", side, limb));
    const [left, right] = sides;
    return left && right && (left.map((value, axis) => (value + right[axis]) / 2) as Vec3);
  };
  const [fore, hind] = [middle(0), middle(1)];
  const [left, right] = ([1, -1] as const).map(
    (side) => artistJoint(artist, "lowerLeg", side, 0) ?? artistJoint(artist, "upperLeg", side, 0),
  );
  if (!fore || !hind || !left || !right) return undefined;
  const [x, z] = [fore[0] - hind[0], fore[2] - hind[2]];
  const length = Math.hypot(x, z);
  const axes: [Front, number, number][] = [
    ["z", z, left[0] - right[0]],
    ["-z", -z, right[0] - left[0]],
    ["x", x, right[2] - left[2]],
    ["-x", -x, left[2] - right[2]],
  ];
  const found = axes.find(([, along]) => along > ALONG * length);
  return found && { front: found[0], isMirrored: found[2] < 0 };
}
