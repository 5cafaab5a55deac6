import { boundsOf, longestSide } from "../math/aabb.ts";
import { inverseIndex, takeRows } from "../math/arrays.ts";
import { createClosestPoint } from "../mesh/closest-point.ts";
import { keepTriangles, type Mesh } from "../mesh/mesh.ts";
import { weld, weldTriangles } from "../mesh/weld.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { type SkinWeights, takeWeights } from "../weights/skin-weights.ts";
import { averageWeights } from "../weights/smooth-weights.ts";
import { type Character, checkCharacter, type PreparedCharacter } from "./character.ts";

/** Vertices this close, in longest sides of the mesh, are welded, so that seams do not open. */
export const WELD_TOLERANCE = 1e-5;

/**
 * Prepared positions are multiples of this, about a millionth of the body: points on a plane of symmetry, or on
 * the floor, are exactly there for any units and origin of the file, and later steps do not depend on rounding.
 */
const GRAIN = 2 ** -20;

/** Joints farther away, in longest sides of the mesh, are mistakes and must not affect others. */
const FARTHEST = 100;

/**
 * Welds a character and moves it to the space of all methods: longest side of the mesh 1, floor at y = 0,
 * centered in x and z; joints move along.
 *
 * Vertices that are not part of the body (see `bodyVertices`) are welded to its nearest vertex. A mesh without
 * extent keeps its scale. Artist weights are averaged over welded vertices. Throws an `InputError` for a
 * character that no method can process.
 */
export function prepareCharacter(character: Character): PreparedCharacter {
  checkCharacter(character);
  const { skeleton } = character;
  const { mesh, vertices, body } = bodyOf(character.mesh);
  const box = boundsOf(mesh.positions);
  const scale = 1 / (longestSide(box) || 1);
  const [x, z] = [0, 2].map((axis) => (box.min[axis] + box.max[axis]) / 2);
  const offset: PreparedCharacter["offset"] = [x, box.min[1], z];
  const moved = toPrepared(mesh.positions, scale, offset);
  const { count, welded: own, positions } = weld(moved, WELD_TOLERANCE);
  const welded = vertices ? withStrays(character.mesh, mesh, vertices, own) : own;
  const preparedMesh: Mesh = { positions, triangles: weldTriangles(mesh, own) };
  if (!vertices) weldedMeshes.set(character.mesh, { count, triangles: preparedMesh.triangles });
  const joints = toPrepared(skeleton.positions, scale, offset);
  const ends = skeleton.ends && toPrepared(skeleton.ends, scale, offset);
  const prepared: Character = {
    name: character.name,
    mesh: preparedMesh,
    skeleton: withoutFarJoints({ ...skeleton, positions: joints, ends }),
  };
  if (character.weights) {
    prepared.weights = averageWeights(onBody(character.weights, body), welded, count);
  }
  return { character: prepared, welded, scale, offset };
}

/** A mesh after welding. */
interface WeldedMesh {
  count: number;
  triangles: Uint32Array;
}

const weldedMeshes = new WeakMap<Mesh, WeldedMesh>();

/** The welded form of a mesh; a mesh that was prepared is not welded again. */
export function weldedMesh(mesh: Mesh): WeldedMesh {
  const known = weldedMeshes.get(mesh);
  if (known) return known;
  const tolerance = longestSide(boundsOf(mesh.positions)) * WELD_TOLERANCE;
  const { count, welded } = weld(mesh.positions, tolerance);
  return { count, triangles: weldTriangles(mesh, welded) };
}

/** Clamps distant joints and makes them roots; their children move to the nearest valid ancestor. */
function withoutFarJoints(skeleton: Skeleton): Skeleton {
  const { parents, positions } = skeleton;
  if (positions.every((value) => Math.abs(value) <= FARTHEST)) return skeleton;
  const isFar = (joint: number) =>
    positions.subarray(joint * 3, joint * 3 + 3).some((value) => Math.abs(value) > FARTHEST);
  const above = parents.map((parent, joint) => {
    let at = parent;
    while (at >= 0 && isFar(at)) at = parents[at];
    return isFar(joint) ? -1 : at;
  });
  const clamped = (list: Float32Array) =>
    list.map((value) => Math.min(Math.max(value, -FARTHEST), FARTHEST));
  const ends = skeleton.ends && clamped(skeleton.ends);
  return { ...skeleton, parents: above, positions: clamped(positions), ends };
}

/** The body of a mesh, and its vertices in the mesh; undefined if there are no stray vertices. */
function bodyOf(mesh: Mesh): { mesh: Mesh; vertices?: Int32Array; body?: Uint8Array } {
  const body = bodyVertices(mesh);
  if (body.every((is) => is === 1)) return { mesh };
  const vertices = Int32Array.from(body.keys()).filter((vertex) => body[vertex] === 1);
  const indexOf = inverseIndex(vertices, body.length);
  const kept = keepTriangles(
    mesh.triangles,
    (a, b, c) => Math.min(body[a], body[b], body[c]) === 1,
  );
  const positions = takeRows(mesh.positions, vertices, 3);
  return { mesh: { positions, triangles: kept.map((vertex) => indexOf[vertex]) }, vertices, body };
}

/** The welded vertex of each vertex; for a stray vertex, the nearest one of the body. */
function withStrays(all: Mesh, body: Mesh, vertices: Int32Array, own: Int32Array): Int32Array {
  const welded = new Int32Array(all.positions.length / 3).fill(-1);
  vertices.forEach((vertex, index) => {
    welded[vertex] = own[index];
  });
  const nearest = createClosestPoint(body);
  return welded.map((known, vertex) => {
    if (known >= 0) return known;
    const [x, y, z] = all.positions.subarray(vertex * 3, vertex * 3 + 3);
    const found = nearest(x, y, z);
    if (!found) return 0;
    const heaviest = found.barycentric.indexOf(Math.max(...found.barycentric));
    return own[body.triangles[found.triangle * 3 + heaviest]];
  });
}

/** Removes the weights of stray vertices, which must not affect the vertex they are welded to. */
function onBody(weights: SkinWeights, body: Uint8Array | undefined): SkinWeights {
  if (!body) return weights;
  const kept = weights.weights.map((weight, slot) =>
    body[Math.floor(slot / weights.influences)] ? weight : 0,
  );
  return { ...weights, weights: kept };
}

/** Copies the weights of welded vertices back to the vertices of the original. */
export function restoreWeights(prepared: PreparedCharacter, weights: SkinWeights): SkinWeights {
  return takeWeights(weights, prepared.welded);
}

function toPrepared(positions: Float32Array, scale: number, offset: number[]): Float32Array {
  return positions.map((value, i) => Math.round(((value - offset[i % 3]) * scale) / GRAIN) * GRAIN);
}

/** Slices per axis of the vertex histogram. */
const SLICES = 64;
/** Ratio of a side to the extent of nearly all vertices from which it contains stray vertices. */
const FAR = 10;
/** Maximum fraction of stray vertices, and at least a triangle. */
const STRAY_FRACTION = 0.005;
const MIN_STRAYS = 3;
/** Smaller meshes are not searched for strays. */
const MIN_BODY = 50;

/**
 * Returns the vertices that make up the body (V, 1 or 0): corners of triangles, without stray parts far away.
 *
 * Unused vertices are invisible, and a speck ten body lengths away is a mistake; either would shrink the body
 * relative to its bounding box. If most vertices are in no triangle, all count.
 */
function bodyVertices({ positions, triangles }: Mesh): Uint8Array {
  const body = new Uint8Array(positions.length / 3);
  for (const vertex of triangles) body[vertex] = 1;
  const used = body.reduce((sum, is) => sum + is, 0);
  if (used * 2 < body.length || used === 0) return body.fill(1);
  // One stray part may hide another that is nearer.
  while (dropSpeck(positions, body)) {}
  return body;
}

/** Removes what is far off along some axis from the body; returns whether there was any. */
function dropSpeck(positions: Float32Array, body: Uint8Array): boolean {
  const total = body.reduce((sum, is) => sum + is, 0);
  if (total < MIN_BODY) return false;
  const maxStrays = Math.max(MIN_STRAYS, Math.floor(total * STRAY_FRACTION));
  const windows = [0, 1, 2].map((axis) => bulkOf(positions, body, axis, maxStrays));
  const longest = Math.max(...windows.map(({ low, high }) => high - low));
  const bulk = Math.max(...windows.map(({ from, to }) => to - from));
  if (!(longest > FAR * bulk)) return false;
  for (let v = 0; v < body.length; v++) {
    const isFar = windows.some(({ from, to }, axis) => {
      const value = positions[v * 3 + axis];
      return value < from - bulk || value > to + bulk;
    });
    if (isFar) body[v] = 0;
  }
  return true;
}

/** The range of an axis, and the slices of it that hold all but `maxStrays` vertices at its ends. */
function bulkOf(positions: Float32Array, body: Uint8Array, axis: number, maxStrays: number) {
  let [low, high] = [Infinity, -Infinity];
  for (let v = 0; v < body.length; v++) {
    if (!body[v]) continue;
    low = Math.min(low, positions[v * 3 + axis]);
    high = Math.max(high, positions[v * 3 + axis]);
  }
  const slice = (high - low) / SLICES;
  if (!(slice > 0)) return { low, high, from: low, to: high };
  const counts = new Uint32Array(SLICES);
  for (let v = 0; v < body.length; v++) {
    if (body[v])
      counts[Math.min(SLICES - 1, Math.floor((positions[v * 3 + axis] - low) / slice))]++;
  }
  let [first, last, left] = [0, SLICES - 1, maxStrays];
  while (first < last && counts[first] <= left) left -= counts[first++];
  while (last > first && counts[last] <= left) left -= counts[last--];
  return { low, high, from: low + first * slice, to: low + (last + 1) * slice };
}
