import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance } from "../math/vec3.ts";
import { createClosestPoint } from "../mesh/closest-point.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { weld } from "../mesh/weld.ts";
import { jointPairs, type MirrorPlane, namedPairs } from "../skeleton/joint-pairs.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { Character } from "./character.ts";

/** The correspondence of the two halves of a character. */
export interface Symmetry {
  plane: MirrorPlane;
  /** J, the mirror image of each joint, see `jointPairs`. */
  twins: Int32Array;
  /** V, the vertex at the mirrored position (an involution; may be itself), or -1. */
  partners: Int32Array;
  /** V×3, vertices around the mirrored position, if there is no partner; -1 if the surface is far. */
  corners: Int32Array;
  /** V×3, their barycentric weights, sum 1. */
  barycentric: Float32Array;
}

/** Tolerances in longest sides of the mesh: for vertices, for joints, and for the opposite surface. */
const SAME_VERTEX = 1e-4;
const SAME_JOINT = 0.02;
const SAME_SURFACE = 0.03;

/** Joints within this distance of a plane are in it. */
const SAME_PLANE = 1e-3;

/**
 * Finds the mirror image of each joint and each vertex of a character.
 *
 * The plane is perpendicular to the axis, at the offset with the most vertex pairs: between the joints named
 * left and right, where most joints are, in the middle of the mesh, or at `origin`.
 *
 * @param character welded
 * @param axis 0, 1, 2 for x, y, z
 * @param origin the file's origin along the axis, if it is a candidate
 */
export function findSymmetry(
  { mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton },
  axis: MirrorPlane["axis"],
  origin?: number,
): Symmetry {
  const { plane, partners, size } = findPlane({ mesh, skeleton }, axis, origin);
  const twins = jointPairs(skeleton, plane, SAME_JOINT * size);
  return { plane, partners, twins, ...acrossFrom(mesh, plane, partners, SAME_SURFACE * size) };
}

/** Which joints and points lie on which side of a mirror-symmetric skeleton. */
export interface Sides {
  plane: MirrorPlane;
  /** J, the mirror image of each joint, see `jointPairs`. */
  twins: Int32Array;
  /** J, -1 or 1; 0 for joints in the plane or without a mirror image. */
  joints: Int8Array;
}

/** Fraction of the joints that must have a mirror image for a skeleton to have sides. */
const SIDED_JOINTS = 0.8;

const knownSides = new WeakMap<Skeleton, { mesh: Mesh; sides: Sides | undefined }>();

/** Returns the two sides of a skeleton across x; undefined if it is not mirror-symmetric. Cached. */
export function findSides(character: Pick<Character, "mesh" | "skeleton">): Sides | undefined {
  const { mesh, skeleton } = character;
  const known = knownSides.get(skeleton);
  if (known?.mesh === mesh) return known.sides;
  const sides = measureSides(character);
  knownSides.set(skeleton, { mesh, sides });
  return sides;
}

function measureSides(character: Pick<Character, "mesh" | "skeleton">): Sides | undefined {
  const { skeleton } = character;
  const { plane, size } = findPlane(character, 0);
  const twins = jointPairs(skeleton, plane, SAME_JOINT * size);
  if (mirroredJoints(skeleton, { plane, twins }, SAME_JOINT * size) < SIDED_JOINTS)
    return undefined;
  const sides = jointSides(skeleton, plane, SAME_PLANE * size);
  const joints = sides.map((side, joint) =>
    twins[joint] >= 0 && twins[joint] !== joint ? side : 0,
  );
  return { plane, twins, joints };
}

/**
 * Returns the side of each joint, -1 or 1. A joint in the plane, such as a left hip that starts in the
 * middle, is on the side of the joints below it; 0 if those are in the plane too.
 */
function jointSides(
  { parents, positions }: Skeleton,
  { axis, offset }: MirrorPlane,
  tolerance: number,
): Int8Array {
  const below = new Float64Array(parents.length);
  const sideOf = (value: number) => (Math.abs(value) > tolerance ? Math.sign(value) : 0);
  parents.forEach((_, joint) => {
    const from = positions[joint * 3 + axis] - offset;
    for (let above = parents[joint]; above >= 0; above = parents[above]) below[above] += from;
  });
  return Int8Array.from(
    parents,
    (_, joint) => sideOf(positions[joint * 3 + axis] - offset) || sideOf(below[joint]),
  );
}

/** A plane, the vertex pairs across it, and the longest side of the mesh. */
type PairedPlane = { plane: MirrorPlane; partners: Int32Array; size: number };

const knownPlanes = new WeakMap<Skeleton, { mesh: Mesh; planes: Map<number, PairedPlane> }>();

/** Finds the plane with the most vertex pairs, and these pairs. Cached if there is no origin. */
function findPlane(
  character: { mesh: Mesh; skeleton: Skeleton },
  axis: MirrorPlane["axis"],
  origin?: number,
): PairedPlane {
  if (origin !== undefined) return searchPlane(character, axis, origin);
  const { mesh, skeleton } = character;
  let known = knownPlanes.get(skeleton);
  if (known?.mesh !== mesh) known = { mesh, planes: new Map() };
  knownPlanes.set(skeleton, known);
  const plane = known.planes.get(axis) ?? searchPlane(character, axis);
  known.planes.set(axis, plane);
  return plane;
}

function searchPlane(
  { mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton },
  axis: MirrorPlane["axis"],
  origin?: number,
): PairedPlane {
  const box = boundsOf(mesh.positions);
  const size = longestSide(box) || 1;
  const middle = (box.min[axis] + box.max[axis]) / 2;
  let best: { offset: number; partners: Int32Array; count: number } | undefined;
  const given = origin === undefined ? [] : [origin];
  const joints = [...betweenPairs(skeleton, axis), ...commonOffset(skeleton, axis, size)];
  for (const offset of new Set([...joints, ...given, middle])) {
    const partners = findPartners(mesh, { axis, offset }, SAME_VERTEX * size);
    const count = partners.reduce((sum, partner) => sum + (partner >= 0 ? 1 : 0), 0);
    if (!best || count > best.count) best = { offset, partners, count };
    if (count === partners.length) break;
  }
  const { offset, partners } = best!;
  return { plane: { axis, offset }, partners, size };
}

/** Returns the number of vertices with a partner or an opposite surface. */
export function mirroredCount({ partners, corners }: Symmetry): number {
  return partners.filter((partner, v) => partner >= 0 || corners[v * 3] >= 0).length;
}

/** The median of the midpoints between joints named left and right, if any. */
function betweenPairs(skeleton: Skeleton, axis: number): number[] {
  const { positions } = skeleton;
  const middles = namedPairs(skeleton)
    .map(([a, b]) => (positions[a * 3 + axis] + positions[b * 3 + axis]) / 2)
    .sort((a, b) => a - b);
  return middles.length === 0 ? [] : [middles[middles.length >> 1]];
}

/** The middle of the largest cluster of joints along an axis, if any. */
function commonOffset({ positions }: Skeleton, axis: number, size: number): number[] {
  const values = positions.filter((_, i) => i % 3 === axis).sort();
  let best = { first: 0, count: 0 };
  let end = 0;
  for (let first = 0; first < values.length; first++) {
    while (end < values.length && values[end] - values[first] <= SAME_PLANE * size) end++;
    if (end - first > best.count) best = { first, count: end - first };
  }
  return best.count === 0 ? [] : [values[best.first + (best.count >> 1)]];
}

function findPartners(mesh: Mesh, plane: MirrorPlane, tolerance: number): Int32Array {
  const vertices = vertexCount(mesh);
  // Welding the mirrored vertices to the others finds those that coincide.
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

/** The surface at the mirrored positions of vertices without partner. */
function acrossFrom(mesh: Mesh, plane: MirrorPlane, partners: Int32Array, reach: number) {
  const corners = new Int32Array(partners.length * 3).fill(-1);
  const barycentric = new Float32Array(partners.length * 3);
  if (partners.every((partner) => partner >= 0)) return { corners, barycentric };
  const images = mirrored(mesh.positions, plane);
  const closest = createClosestPoint(mesh);
  partners.forEach((partner, vertex) => {
    if (partner >= 0) return;
    const at = vertex * 3;
    const point = closest(images[at], images[at + 1], images[at + 2], reach);
    if (!point) return;
    corners.set(mesh.triangles.subarray(point.triangle * 3, point.triangle * 3 + 3), at);
    barycentric.set(point.barycentric, at);
  });
  return { corners, barycentric };
}

/** Minimum fractions of vertices with an opposite surface, and of joints with an image. */
const VERTICES = 0.9;
const JOINTS = 0.9;
/** Maximum distance of a joint from its image's mirrored position, in longest sides of the mesh. */
const SAME_POSITION = 0.02;

/** The left-right axis of a character that faces z, or x. */
const AXES: readonly MirrorPlane["axis"][] = [0, 2];

/**
 * Returns the symmetry of a character whose mesh and skeleton are mirror-symmetric; undefined for others.
 *
 * @param character welded, y up
 */
export function characterSymmetry(
  character: Pick<Character, "mesh" | "skeleton">,
): Symmetry | undefined {
  const { mesh, skeleton } = character;
  const reach = SAME_POSITION * longestSide(boundsOf(mesh.positions));
  for (const axis of AXES) {
    // Joints first: the search for the opposite surface takes most of the time.
    const { plane, size } = findPlane(character, axis);
    const twins = jointPairs(skeleton, plane, SAME_JOINT * size);
    if (mirroredJoints(skeleton, { plane, twins }, reach) < JOINTS) continue;
    const symmetry = findSymmetry(character, axis);
    if (mirroredCount(symmetry) >= VERTICES * symmetry.partners.length) return symmetry;
  }
  return undefined;
}

/** Returns the fraction of joints with a joint at their mirrored position, within `reach`. */
export function mirroredJoints(
  { positions }: Skeleton,
  { plane, twins }: Pick<Symmetry, "plane" | "twins">,
  reach: number,
): number {
  const paired = twins.filter((twin, joint) => {
    if (twin < 0) return false;
    const image = [...positions.subarray(joint * 3, joint * 3 + 3)];
    image[plane.axis] = 2 * plane.offset - image[plane.axis];
    return distance(image, positions.subarray(twin * 3)) <= reach;
  });
  return paired.length / Math.max(1, twins.length);
}
