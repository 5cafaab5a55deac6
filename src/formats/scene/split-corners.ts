import { STRIDE, type Steps } from "../../event-loop.ts";
import { inverseIndex, takeRows } from "../../math/arrays.ts";
import type { SceneMesh } from "./scene.ts";
import { pushTo } from "./values.ts";

/**
 * The polygons of one material as triangles over their own vertices: a point becomes one vertex per distinct
 * normal, color and UV.
 */
export interface SplitPart {
  /** Material slot. */
  slot: number;
  /** V, the point of each vertex, ascending. */
  points: Int32Array;
  /** V×3, unit length. */
  normals: Float32Array | undefined;
  /** V×2 each. */
  uvSets: Float32Array[];
  /** V×4 each. */
  colors: Float32Array[];
  /** Three vertices per triangle. */
  triangles: Uint32Array;
}

/** Splits the corners of a mesh into vertices and its polygons into triangles, in steps; a part per material. */
export function* splitSteps(mesh: SceneMesh): Steps<SplitPart[]> {
  const corners = new Map<number, number[]>();
  let start = 0;
  for (let p = 0; p < mesh.sizes.length; p++) {
    const size = mesh.sizes[p];
    const slot = mesh.polygonMaterials?.[p] ?? 0;
    // Lines and points have no vertices.
    if (size >= 3) {
      const outline = mesh.corners.subarray(start, start + size);
      for (const corner of triangulate(mesh.points, outline)) pushTo(corners, slot, start + corner);
    }
    start += size;
    if (p % STRIDE === STRIDE - 1) yield;
  }
  const parts: SplitPart[] = [];
  for (const [slot, own] of corners) parts.push(yield* splitPart(mesh, slot, own));
  return parts;
}

/** @param used three corners per triangle */
function* splitPart(mesh: SceneMesh, slot: number, used: number[]): Steps<SplitPart> {
  const { firsts, triangles } = yield* numberVertices(mesh, used);
  yield;
  return {
    slot,
    points: firsts.map((corner) => mesh.corners[corner]),
    normals: mesh.normals && unitRows(takeRows(mesh.normals, firsts, 3)),
    uvSets: (mesh.uvSets ?? []).map((uvs) => takeRows(uvs, firsts, 2)),
    colors: (mesh.colors ?? []).map((colors) => takeRows(colors, firsts, 4)),
    triangles,
  };
}

/** Numbers the vertices in the order of their points, so that a mesh without seams keeps the file's order. */
function* numberVertices(
  mesh: SceneMesh,
  used: number[],
): Steps<{ firsts: Int32Array; triangles: Uint32Array }> {
  const layers: [Float32Array, number][] = [
    ...(mesh.normals ? [[mesh.normals, 3] as [Float32Array, number]] : []),
    ...(mesh.uvSets ?? []).map((uvs): [Float32Array, number] => [uvs, 2]),
    ...(mesh.colors ?? []).map((colors): [Float32Array, number] => [colors, 4]),
  ];
  const [value, bits] = [new Float32Array(1), new Uint32Array(1)];
  const view = new Uint32Array(value.buffer);
  const hashOf = (corner: number) => {
    bits[0] = mesh.corners[corner];
    for (const [rows, width] of layers) {
      for (let i = corner * width; i < (corner + 1) * width; i++) {
        // Adding 0 makes -0 and 0 the same.
        value[0] = rows[i] + 0;
        bits[0] = Math.imul(bits[0] ^ view[0], 0x9e3779b1);
        bits[0] ^= bits[0] >>> 15;
      }
    }
    return bits[0];
  };
  const isSame = (a: number, b: number) =>
    mesh.corners[a] === mesh.corners[b] &&
    layers.every(([rows, width]) => {
      for (let i = 0; i < width; i++) {
        const [x, y] = [rows[a * width + i], rows[b * width + i]];
        if (x !== y && !(Number.isNaN(x) && Number.isNaN(y))) return false;
      }
      return true;
    });
  const firsts: number[] = [];
  const vertexOf = new Int32Array(mesh.corners.length);
  // Vertices with the same hash form a chain.
  const heads = new Map<number, number>();
  const next: number[] = [];
  // In corner order, so that vertex indices do not depend on the triangulation.
  const corners = new Set(Int32Array.from(used).sort());
  yield;
  for (const corner of corners) {
    if (corner % STRIDE === 0) yield;
    const hash = hashOf(corner);
    const head = heads.get(hash) ?? -1;
    let vertex = head;
    while (vertex >= 0 && !isSame(firsts[vertex], corner)) vertex = next[vertex];
    if (vertex < 0) {
      vertex = firsts.push(corner) - 1;
      next.push(head);
      heads.set(hash, vertex);
    }
    vertexOf[corner] = vertex;
  }
  yield;
  const order = firsts.map((_, vertex) => vertex);
  order.sort((a, b) => mesh.corners[firsts[a]] - mesh.corners[firsts[b]] || a - b);
  yield;
  const rank = inverseIndex(order, order.length);
  return {
    firsts: Int32Array.from(order, (vertex) => firsts[vertex]),
    triangles: Uint32Array.from(used, (corner) => rank[vertexOf[corner]]),
  };
}

function unitRows(rows: Float32Array): Float32Array {
  for (let at = 0; at < rows.length; at += 3) {
    const [x, y, z] = rows.subarray(at, at + 3);
    const size = Math.hypot(x, y, z);
    rows.set(size > 0 ? [x / size, y / size, z / size] : [0, 1, 0], at);
  }
  return rows;
}

/**
 * Triangulates a polygon by ear clipping in its best-fit plane (Newell's normal).
 *
 * @param points C×3
 * @param corners point indices around the polygon
 * @returns triples of indices into `corners`, wound as the polygon; always corners.length - 2 of them
 */
export function triangulate(points: Float32Array, corners: ArrayLike<number>): number[] {
  const left = Array.from({ length: corners.length }, (_, i) => i);
  if (corners.length === 3) return left;
  const flat = flatten(points, corners);
  const out: number[] = [];
  while (left.length > 3) {
    const ear = left.length > MAX_CLIPPED ? -1 : left.findIndex((_, i) => isEar(flat, left, i));
    // Self-intersecting or collinear outlines have no ear: a fan covers the remaining corners.
    if (ear < 0) return [...out, ...left.slice(2).flatMap((c, i) => [left[0], left[i + 1], c])];
    out.push(left[(ear + left.length - 1) % left.length], left[ear], left[(ear + 1) % left.length]);
    left.splice(ear, 1);
  }
  return left.length === 3 ? [...out, ...left] : out;
}

/** Larger polygons become fans: ear clipping takes quadratic time. */
const MAX_CLIPPED = 512;

function flatten(points: Float32Array, corners: ArrayLike<number>): [number, number][] {
  const at = (i: number) => points.subarray(corners[i] * 3, corners[i] * 3 + 3);
  const normal = [0, 0, 0];
  for (let i = 0; i < corners.length; i++) {
    const a = at(i);
    const b = at((i + 1) % corners.length);
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      normal[axis] += (a[u] - b[u]) * (a[v] + b[v]);
    }
  }
  // Drop the dominant axis of the normal; the order of the other two keeps the winding.
  const sizes = normal.map(Math.abs);
  const drop = sizes.indexOf(Math.max(...sizes));
  const [u, v] = [(drop + 1) % 3, (drop + 2) % 3];
  const sign = normal[drop] < 0 ? -1 : 1;
  return Array.from({ length: corners.length }, (_, i) => [at(i)[u], at(i)[v] * sign]);
}

function isEar(flat: [number, number][], left: number[], i: number): boolean {
  const before = flat[left[(i + left.length - 1) % left.length]];
  const here = flat[left[i]];
  const after = flat[left[(i + 1) % left.length]];
  if (cross(before, here, after) <= 0) return false;
  return left.every((corner) => {
    const p = flat[corner];
    if (p === before || p === here || p === after) return true;
    return cross(before, here, p) < 0 || cross(here, after, p) < 0 || cross(after, before, p) < 0;
  });
}

function cross(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
