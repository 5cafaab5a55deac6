import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance } from "../math/vec3.ts";
import { createClosestPoint } from "../mesh/closest-point.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { weld } from "../mesh/weld.ts";
import { jointPairs, type MirrorPlane, namedPairs } from "../skeleton/joint-pairs.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { Character } from "./character.ts";

/** How the two halves of a character belong together. */
export interface Symmetry {
  plane: MirrorPlane;
  /** J, the mirror image of each joint, see `jointPairs`. */
  twins: Int32Array;
  /** V, the vertex at the mirrored place and the other way round (may be itself); -1 where none is. */
  partners: Int32Array;
  /** V×3, vertices around the mirrored place, where there is no partner; -1 where the surface is far. */
  corners: Int32Array;
  /** V×3, their shares, sum 1. */
  shares: Float32Array;
}

/** All in longest sides of the mesh: vertices of a pair, joints of a pair, surface across from a vertex. */
const SAME_VERTEX = 1e-4;
const SAME_JOINT = 0.02;
const SAME_SURFACE = 0.03;

/** Joints that stand this near to one plane stand in it: those of a spine do. */
const SAME_PLANE = 1e-3;

/**
 * Finds the mirror image of each joint and each vertex of a character.
 *
 * The plane stands across the axis where most vertices find a partner: between the joints named left
 * and right, where most joints stand, in the middle of the mesh, or at `origin`.
 *
 * @param character welded
 * @param axis 0, 1, 2 for x, y, z
 * @param origin where the artist's zero is along the axis; without it, the file's place does not matter
 */
export function findSymmetry(
  { mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton },
  axis: MirrorPlane["axis"],
  origin?: number,
): Symmetry {
  const box = boundsOf(mesh.positions);
  const size = longestSide(box) || 1;
  const middle = (box.min[axis] + box.max[axis]) / 2;
  let best: { offset: number; partners: Int32Array; count: number } | undefined;
  const given = origin === undefined ? [] : [origin];
  const joints = [...betweenPairs(skeleton, axis), ...commonPlace(skeleton, axis, size)];
  for (const offset of new Set([...joints, ...given, middle])) {
    const partners = findPartners(mesh, { axis, offset }, SAME_VERTEX * size);
    const count = partners.reduce((sum, partner) => sum + (partner >= 0 ? 1 : 0), 0);
    if (!best || count > best.count) best = { offset, partners, count };
  }
  const { offset, partners } = best!;
  const plane = { axis, offset };
  return {
    plane,
    partners,
    twins: jointPairs(skeleton, plane, SAME_JOINT * size),
    ...acrossFrom(mesh, plane, partners, SAME_SURFACE * size),
  };
}

/** How many vertices have a partner, or surface across from them. */
export function mirroredCount({ partners, corners }: Symmetry): number {
  return partners.filter((partner, v) => partner >= 0 || corners[v * 3] >= 0).length;
}

/** The median of the places half way between joints named left and right, if there are any. */
function betweenPairs(skeleton: Skeleton, axis: number): number[] {
  const { positions } = skeleton;
  const places = namedPairs(skeleton)
    .map(([a, b]) => (positions[a * 3 + axis] + positions[b * 3 + axis]) / 2)
    .sort((a, b) => a - b);
  return places.length === 0 ? [] : [places[places.length >> 1]];
}

/** The middle of the most joints that stand side by side, if there are any. */
function commonPlace({ positions }: Skeleton, axis: number, size: number): number[] {
  const places = positions.filter((_, i) => i % 3 === axis).sort();
  let best = { first: 0, count: 0 };
  let end = 0;
  for (let first = 0; first < places.length; first++) {
    while (end < places.length && places[end] - places[first] <= SAME_PLANE * size) end++;
    if (end - first > best.count) best = { first, count: end - first };
  }
  return best.count === 0 ? [] : [places[best.first + (best.count >> 1)]];
}

function findPartners(mesh: Mesh, plane: MirrorPlane, tolerance: number): Int32Array {
  const vertices = vertexCount(mesh);
  // Welding the mirrored vertices to the others tells which of them meet.
  const both = new Float32Array(vertices * 6);
  both.set(mesh.positions);
  both.set(mirrored(mesh.positions, plane), vertices * 3);
  const { count, welded } = weld(both, tolerance);
  const vertexAt = new Int32Array(count).fill(-1);
  for (let vertex = vertices - 1; vertex >= 0; vertex--) vertexAt[welded[vertex]] = vertex;
  const met = Int32Array.from({ length: vertices }, (_, v) => vertexAt[welded[vertices + v]]);
  return met.map((partner, vertex) => (partner >= 0 && met[partner] === vertex ? partner : -1));
}

function mirrored(positions: Float32Array, { axis, offset }: MirrorPlane): Float32Array {
  return positions.map((value, i) => (i % 3 === axis ? 2 * offset - value : value));
}

/** The surface at the mirrored places of vertices without partner. */
function acrossFrom(
  mesh: Mesh,
  plane: MirrorPlane,
  partners: Int32Array,
  reach: number,
): { corners: Int32Array; shares: Float32Array } {
  const corners = new Int32Array(partners.length * 3).fill(-1);
  const shares = new Float32Array(partners.length * 3);
  if (partners.every((partner) => partner >= 0)) return { corners, shares };
  const images = mirrored(mesh.positions, plane);
  const closest = createClosestPoint(mesh);
  partners.forEach((partner, vertex) => {
    if (partner >= 0) return;
    const at = vertex * 3;
    const point = closest(images[at], images[at + 1], images[at + 2], reach);
    if (!point) return;
    corners.set(mesh.triangles.subarray(point.triangle * 3, point.triangle * 3 + 3), at);
    shares.set(point.barycentric, at);
  });
  return { corners, shares };
}

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
