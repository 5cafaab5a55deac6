import { type Lists, listsOf } from "../math/arrays.ts";
import { type Mesh, triangleCount } from "./mesh.ts";

/** Ratio of width to longest side below which a triangle is a sliver. */
const SLIVER = 3e-4;

/**
 * Returns unit vertex normals (V×3), each the mean of its triangles' normals weighted by their angle at the
 * vertex, so that the result does not depend on the triangulation of a face.
 *
 * Zero if the direction is undefined: isolated vertices, degenerate triangles, opposite sides that cancel.
 * Slivers, whose direction is dominated by rounding, have low weight.
 * Based on: Thürmer and Wüthrich. Computing vertex normals from polygonal facets. 1998.
 */
export function vertexNormals(mesh: Mesh): Float32Array {
  const { positions, triangles } = mesh;
  const normals = new Float32Array(positions.length);
  for (let corner = 0; corner < triangleCount(mesh) * 3; corner++) {
    const first = corner - (corner % 3);
    const at = triangles[corner] * 3;
    const next = triangles[first + ((corner + 1) % 3)] * 3;
    const last = triangles[first + ((corner + 2) % 3)] * 3;
    const ux = positions[next] - positions[at];
    const uy = positions[next + 1] - positions[at + 1];
    const uz = positions[next + 2] - positions[at + 2];
    const vx = positions[last] - positions[at];
    const vy = positions[last + 1] - positions[at + 1];
    const vz = positions[last + 2] - positions[at + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = Math.hypot(nx, ny, nz);
    if (area === 0) continue;
    const third = (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2;
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, third);
    const width = area / longest;
    const trust = Math.min(1, (width / SLIVER) ** 2);
    const weight = (trust * Math.atan2(area, ux * vx + uy * vy + uz * vz)) / area;
    normals[at] += nx * weight;
    normals[at + 1] += ny * weight;
    normals[at + 2] += nz * weight;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    const scale = length > CANCELED ? 1 / length : 0;
    for (let axis = 0; axis < 3; axis++) normals[i + axis] *= scale;
  }
  return normals;
}

/** Shorter sums of unit normals cancel (two sides of a card) and have no direction. */
const CANCELED = 1e-3;

/** Whether a point lies outside the body, in the space of the mesh. */
type OutsideTest = (x: number, y: number, z: number) => boolean;

/** Votes that differ by less than this fraction are a tie, to be robust to rounding. */
const CLEAR = 1e-3;

/**
 * Flips triangles so that neighbors agree and closed parts face outwards.
 *
 * Each patch (triangles joined by edges of exactly two triangles) is oriented as a unit: it faces the side
 * on which more of its area sees the outside. Patches that see it on both sides or on neither (cloth, inner
 * shells) keep the winding of most of their triangles.
 *
 * @param step distance from the surface of the test points, in units of the mesh: more than the thickness of
 *   the wall that `isOutside` knows
 */
export function orientOutwards(mesh: Mesh, isOutside: OutsideTest, step: number): Mesh {
  const { patch, flipped, count } = consistentPatches(mesh);
  const votes = new Float64Array(count);
  const cast = new Float64Array(count);
  const kept = new Float64Array(count);
  for (let f = 0; f < triangleCount(mesh); f++) {
    const sign = flipped[f] ? -1 : 1;
    const vote = outsideVote(mesh, f, isOutside, step);
    votes[patch[f]] += sign * vote;
    cast[patch[f]] += Math.abs(vote);
    kept[patch[f]] += sign;
  }
  const triangles = mesh.triangles.slice();
  for (let f = 0; f < triangleCount(mesh); f++) {
    const clear = Math.abs(votes[patch[f]]) > CLEAR * cast[patch[f]];
    const vote = clear ? votes[patch[f]] : kept[patch[f]];
    if (flipped[f] !== (vote < 0 ? 1 : 0)) {
      triangles[f * 3 + 1] = mesh.triangles[f * 3 + 2];
      triangles[f * 3 + 2] = mesh.triangles[f * 3 + 1];
    }
  }
  return { positions: mesh.positions, triangles };
}

/** Returns vertex normals (V×3) after {@link orientOutwards}, correct for inverted meshes. */
export function outwardNormals(mesh: Mesh, isOutside: OutsideTest, step: number): Float32Array {
  return vertexNormals(orientOutwards(mesh, isOutside, step));
}

/** Signed area of a triangle: > 0 if the outside is in front, < 0 if behind, 0 if on both sides or neither. */
function outsideVote(mesh: Mesh, f: number, isOutside: OutsideTest, step: number): number {
  const { positions: p, triangles } = mesh;
  const [a, b, c] = [triangles[f * 3] * 3, triangles[f * 3 + 1] * 3, triangles[f * 3 + 2] * 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (length === 0) return 0;
  const x = (p[a] + p[b] + p[c]) / 3;
  const y = (p[a + 1] + p[b + 1] + p[c + 1]) / 3;
  const z = (p[a + 2] + p[b + 2] + p[c + 2]) / 3;
  const off = step / length;
  const before = isOutside(x + off * nx, y + off * ny, z + off * nz);
  const behind = isOutside(x - off * nx, y - off * ny, z - off * nz);
  return (Number(before) - Number(behind)) * (length / 2);
}

interface Patches {
  count: number;
  /** F. */
  patch: Int32Array;
  /** F, 1 if a triangle must be flipped to agree with the first of its patch. */
  flipped: Uint8Array;
}

function consistentPatches(mesh: Mesh): Patches {
  const total = triangleCount(mesh);
  const { across, same } = mates(mesh.triangles);
  const patch = new Int32Array(total).fill(-1);
  const flipped = new Uint8Array(total);
  const stack: number[] = [];
  let count = 0;
  for (let first = 0; first < total; first++) {
    if (patch[first] >= 0) continue;
    patch[first] = count;
    stack.push(first);
    for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
      for (let side = f * 3; side < f * 3 + 3; side++) {
        const mate = across[side];
        if (mate < 0 || patch[mate] >= 0) continue;
        patch[mate] = count;
        flipped[mate] = flipped[f] ^ same[side];
        stack.push(mate);
      }
    }
    count++;
  }
  return { count, patch, flipped };
}

/** For each triangle edge the only other triangle there (or -1), and whether both have the same direction. */
function mates(triangles: Uint32Array): { across: Int32Array; same: Uint8Array } {
  const across = new Int32Array(triangles.length).fill(-1);
  const same = new Uint8Array(triangles.length);
  const { starts, items: sides } = sidesByLowerEnd(triangles);
  // Number of edges from the current vertex to each other one, and the sum of their indices.
  const shared = new Int32Array(starts.length);
  const sums = new Float64Array(starts.length);
  for (let v = 0; v + 1 < starts.length; v++) {
    const [from, to] = [starts[v], starts[v + 1]];
    for (let i = from; i < to; i++) {
      const end = upperEnd(triangles, sides[i]);
      shared[end]++;
      sums[end] += sides[i];
    }
    for (let i = from; i < to; i++) {
      const side = sides[i];
      const end = upperEnd(triangles, side);
      if (shared[end] !== 2) continue;
      const other = sums[end] - side;
      across[side] = Math.floor(other / 3);
      same[side] = triangles[side] === triangles[other] ? 1 : 0;
    }
    for (let i = from; i < to; i++) {
      const end = upperEnd(triangles, sides[i]);
      shared[end] = sums[end] = 0;
    }
  }
  return { across, same };
}

/** The edges (corner indices; an edge runs to the next corner) by the lower of their two vertices. */
function sidesByLowerEnd(triangles: Uint32Array): Lists {
  let count = 0;
  for (const v of triangles) count = Math.max(count, v + 1);
  const lower = new Int32Array(triangles.length);
  for (let side = 0; side < triangles.length; side++) {
    const [a, b] = [triangles[side], triangles[nextCorner(side)]];
    lower[side] = a === b ? -1 : Math.min(a, b);
  }
  return listsOf(lower, count);
}

function upperEnd(triangles: Uint32Array, side: number): number {
  return Math.max(triangles[side], triangles[nextCorner(side)]);
}

function nextCorner(side: number): number {
  return side % 3 === 2 ? side - 2 : side + 1;
}
