import { boundsOf, longestSide } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { weld, weldTriangles } from "../mesh/weld.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { averageWeights } from "./average-weights.ts";
import type { Character } from "./character.ts";
import { checkCharacter } from "./check-character.ts";
import type { PreparedCharacter } from "./prepared-character.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { takeWeights } from "./weight-row.ts";

/** Vertices this close, in longest sides of the mesh, are one: seams must not open. */
export const WELD_TOLERANCE = 1e-5;

/**
 * Welds a character and moves it to the space every method works in: longest side of the mesh 1,
 * floor at y = 0, centred in x and z; joints move along.
 *
 * A mesh without extent (one vertex, say) keeps its scale. Artist weights are averaged over welded
 * vertices. Throws `InputError` for a character no method could work on.
 */
export function prepareCharacter(character: Character): PreparedCharacter {
  checkCharacter(character);
  const { mesh, skeleton } = character;
  const { scale, offset } = normalization(mesh.positions);
  const { count, welded, positions } = weld(mesh.positions, WELD_TOLERANCE / scale);
  const preparedMesh: Mesh = {
    positions: toPrepared(positions, scale, offset),
    triangles: weldTriangles(mesh, welded),
  };
  const preparedSkeleton: Skeleton = {
    ...skeleton,
    positions: toPrepared(skeleton.positions, scale, offset),
  };
  const prepared: Character = {
    name: character.name,
    mesh: preparedMesh,
    skeleton: preparedSkeleton,
  };
  if (character.weights) prepared.weights = averageWeights(character.weights, welded, count);
  return { character: prepared, welded, scale, offset };
}

/** Copies the weights of welded vertices back to the vertices of the original. */
export function restoreWeights(prepared: PreparedCharacter, weights: SkinWeights): SkinWeights {
  return takeWeights(weights, prepared.welded);
}

function normalization(positions: Float32Array): {
  scale: number;
  offset: [number, number, number];
} {
  const box = boundsOf(positions);
  const { min: low, max: high } = box;
  const longest = longestSide(box);
  return {
    scale: longest > 0 ? 1 / longest : 1,
    offset: [(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2],
  };
}

function toPrepared(positions: Float32Array, scale: number, offset: number[]): Float32Array {
  return positions.map((value, i) => (value - offset[i % 3]) * scale);
}
