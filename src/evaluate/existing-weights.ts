import type { PreparedCharacter } from "../character/character.ts";
import { distance } from "../math/vec3.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { emptyWeights, type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";

/** Tolerance of positions, in longest sides: tools write 32-bit floats and convert axes. */
const SAME_POSITION = 1e-3;

/**
 * Maps weights made by another tool to our welded vertices and joints.
 *
 * Tools reorder, split and merge vertices and rename joints, so vertices are matched by position, joints by
 * name and then by position. A vertex without a match, or with all its weight on unmatched joints, has no
 * weight.
 *
 * @param other the other tool's file, prepared in the same way
 */
export function existingWeights(
  prepared: PreparedCharacter,
  other: PreparedCharacter,
): SkinWeights {
  const theirs = other.character.weights;
  const positions = prepared.character.mesh.positions;
  const V = positions.length / 3;
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

/** Our joint for each of theirs, or -1. */
function matchJoints(theirs: Skeleton, ours: Skeleton): Int32Array {
  const byName = new Map<string, number>();
  ours.names.forEach((name, joint) => {
    // Duplicate names are ambiguous.
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
    let bestDistance = SAME_POSITION;
    for (const candidate of free) {
      const at = ours.positions.subarray(candidate * 3, candidate * 3 + 3);
      const apart = distance(at, position);
      if (apart < bestDistance) [best, bestDistance] = [candidate, apart];
    }
    if (best >= 0) free.delete(best);
    match[joint] = best;
  });
  return match;
}

/** Finds the nearest of some points within SAME_POSITION, or -1, by cells of that size. */
function createNearest(points: Float32Array): (x: number, y: number, z: number) => number {
  const cells = new Map<string, number[]>();
  const cell = (value: number) => Math.floor(value / SAME_POSITION);
  for (let v = 0; v < points.length / 3; v++) {
    const key = `${cell(points[v * 3])},${cell(points[v * 3 + 1])},${cell(points[v * 3 + 2])}`;
    const list = cells.get(key);
    if (list) list.push(v);
    else cells.set(key, [v]);
  }
  return (x, y, z) => {
    let best = -1;
    let bestDistance = SAME_POSITION;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (let dz = -1; dz <= 1; dz++) {
          for (const v of cells.get(`${cell(x) + dx},${cell(y) + dy},${cell(z) + dz}`) ?? []) {
            const d = Math.hypot(points[v * 3] - x, points[v * 3 + 1] - y, points[v * 3 + 2] - z);
            if (d < bestDistance) [best, bestDistance] = [v, d];
          }
        }
      }
    }
    return best;
  };
}
