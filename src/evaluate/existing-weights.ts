import type { PreparedCharacter } from "../character/character.ts";
import { distance } from "../math/vec3.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { emptyWeights, type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";

/**
 * Maximum distance of matching vertices and joints of two files, in longest sides. It covers 32-bit
 * floats and axis conversions.
 */
const MATCH_DISTANCE = 1e-3;

/**
 * Transfers weights made by another tool to the welded vertices and joints.
 *
 * Tools reorder, split and merge vertices and rename joints, so vertices are matched by position
 * and joints by name, then by position. A vertex without a match, or with all weight on unmatched
 * joints, has no weight.
 *
 * @param other the other tool's file, prepared in the same way
 */
export function existingWeights(
  prepared: PreparedCharacter,
  other: PreparedCharacter,
): SkinWeights {
  const theirs = other.character.weights;
  const { positions } = prepared.character.mesh;
  const V = vertexCount(prepared.character.mesh);
  if (!theirs) return emptyWeights(V, 1);
  const jointOf = matchJoints(other.character.skeleton, prepared.character.skeleton);
  const nearest = createNearest(other.character.mesh.positions);
  const joints = new Int32Array(V * theirs.influences).fill(-1);
  const values = new Float32Array(V * theirs.influences);
  for (let v = 0; v < V; v++) {
    const match = nearest(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
    if (match < 0) continue;
    for (let slot = 0; slot < theirs.influences; slot++) {
      const from = match * theirs.influences + slot;
      joints[v * theirs.influences + slot] = jointOf[theirs.joints[from]];
      values[v * theirs.influences + slot] = theirs.weights[from];
    }
  }
  return weightsFromSlots(joints, values, theirs.influences);
}

/** Returns our joint for each of theirs, or -1. */
function matchJoints(theirs: Skeleton, ours: Skeleton): Int32Array {
  const byName = new Map<string, number>();
  ours.names.forEach((name, joint) => {
    // Duplicate names cannot be matched.
    byName.set(name, byName.has(name) ? -1 : joint);
  });
  const match = new Int32Array(jointCount(theirs)).fill(-1);
  const free = new Set(ours.names.keys());
  theirs.names.forEach((name, joint) => {
    const found = byName.get(name) ?? -1;
    if (found < 0 || !free.delete(found)) return;
    match[joint] = found;
  });
  match.forEach((found, joint) => {
    if (found >= 0) return;
    const position = theirs.positions.subarray(joint * 3, joint * 3 + 3);
    let best = -1;
    let bestDistance = MATCH_DISTANCE;
    for (const candidate of free) {
      const other = ours.positions.subarray(candidate * 3, candidate * 3 + 3);
      const d = distance(other, position);
      if (d < bestDistance) [best, bestDistance] = [candidate, d];
    }
    if (best >= 0) free.delete(best);
    match[joint] = best;
  });
  return match;
}

/**
 * Returns a function that finds the nearest point within MATCH_DISTANCE, or -1, by a hash grid.
 */
function createNearest(points: Float32Array): (x: number, y: number, z: number) => number {
  const cells = new Map<string, number[]>();
  const cell = (value: number) => Math.floor(value / MATCH_DISTANCE);
  for (let v = 0; v < points.length / 3; v++) {
    const key = `${cell(points[v * 3])},${cell(points[v * 3 + 1])},${cell(points[v * 3 + 2])}`;
    const list = cells.get(key);
    if (list) list.push(v);
    else cells.set(key, [v]);
  }
  return (x, y, z) => {
    let best = -1;
    let bestDistance = MATCH_DISTANCE;
    for (let i = 0; i < 27; i++) {
      const [dx, dy, dz] = [Math.floor(i / 9) - 1, (Math.floor(i / 3) % 3) - 1, (i % 3) - 1];
      for (const v of cells.get(`${cell(x) + dx},${cell(y) + dy},${cell(z) + dz}`) ?? []) {
        const d = Math.hypot(points[v * 3] - x, points[v * 3 + 1] - y, points[v * 3 + 2] - z);
        if (d < bestDistance) [best, bestDistance] = [v, d];
      }
    }
    return best;
  };
}
