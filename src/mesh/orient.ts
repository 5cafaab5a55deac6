import { type Mesh, triangleCount } from "./mesh.ts";
import { vertexNormals } from "./normals.ts";

/** Says whether a point lies outside the body, in the space of the mesh. */
export type OutsideTest = (x: number, y: number, z: number) => boolean;

/**
 * Turns the triangles so that neighbours agree and closed parts face outwards.
 *
 * Each patch (triangles joined by edges of exactly two triangles) is turned as a whole: it faces the
 * side on which more of its area sees the outside. Patches that see it on both sides or on neither
 * (cloth, inner shells) keep the winding of the larger part of their area.
 *
 * @param step how far off the surface to look, in units of the mesh: more than the wall the test
 *   knows is thick
 */
export function orientOutwards(mesh: Mesh, isOutside: OutsideTest, step: number): Mesh {
  const { patch, flipped, count } = consistentPatches(mesh);
  const votes = new Float64Array(count);
  const kept = new Float64Array(count);
  for (let f = 0; f < triangleCount(mesh); f++) {
    const { area, vote } = facing(mesh, f, isOutside, step);
    const sign = flipped[f] ? -area : area;
    votes[patch[f]] += sign * vote;
    kept[patch[f]] += sign;
  }
  const triangles = mesh.triangles.slice();
  for (let f = 0; f < triangleCount(mesh); f++) {
    const vote = votes[patch[f]] || kept[patch[f]];
    if (flipped[f] !== (vote < 0 ? 1 : 0)) {
      triangles[f * 3 + 1] = mesh.triangles[f * 3 + 2];
      triangles[f * 3 + 2] = mesh.triangles[f * 3 + 1];
    }
  }
  return { positions: mesh.positions, triangles };
}

/** Normals of the vertices (V×3) after {@link orientOutwards}: files wound inside out come right. */
export function outwardNormals(mesh: Mesh, isOutside: OutsideTest, step: number): Float32Array {
  return vertexNormals(orientOutwards(mesh, isOutside, step));
}

/** Area of a triangle, and +1 / -1 / 0: the outside is before it, behind it, or on both sides or neither. */
function facing(
  mesh: Mesh,
  f: number,
  isOutside: OutsideTest,
  step: number,
): { area: number; vote: number } {
  const p = mesh.positions;
  const [a, b, c] = [0, 1, 2].map((corner) => mesh.triangles[f * 3 + corner] * 3);
  const u = [0, 1, 2].map((axis) => p[b + axis] - p[a + axis]);
  const v = [0, 1, 2].map((axis) => p[c + axis] - p[a + axis]);
  const n = [0, 1, 2].map((i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
  const length = Math.hypot(n[0], n[1], n[2]);
  if (length === 0) return { area: 0, vote: 0 };
  const sees = (side: number): boolean => {
    const [x, y, z] = n.map(
      (value, axis) =>
        (p[a + axis] + p[b + axis] + p[c + axis]) / 3 + (side * step * value) / length,
    );
    return isOutside(x, y, z);
  };
  return { area: length / 2, vote: Number(sees(1)) - Number(sees(-1)) };
}

interface Patches {
  count: number;
  /** F. */
  patch: Int32Array;
  /** F, 1 where a triangle must be turned to agree with the first of its patch. */
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

/** For each side of each triangle the one other triangle there (-1: none, or several), and whether both run the same way along it. */
function mates(triangles: Uint32Array): { across: Int32Array; same: Uint8Array } {
  const across = new Int32Array(triangles.length).fill(-1);
  const same = new Uint8Array(triangles.length);
  const sides = new Map<number, number[]>();
  const ends = (side: number): [number, number] => [
    triangles[side],
    triangles[side % 3 === 2 ? side - 2 : side + 1],
  ];
  for (let side = 0; side < triangles.length; side++) {
    const [a, b] = ends(side);
    if (a === b) continue;
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    const list = sides.get(key);
    if (list) list.push(side);
    else sides.set(key, [side]);
  }
  for (const [one, other, more] of sides.values()) {
    if (other === undefined || more !== undefined) continue;
    across[one] = Math.floor(other / 3);
    across[other] = Math.floor(one / 3);
    same[one] = same[other] = ends(one)[0] === ends(other)[0] ? 1 : 0;
  }
  return { across, same };
}
