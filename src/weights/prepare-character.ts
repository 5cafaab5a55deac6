import type { Mesh } from "../mesh/mesh.ts";
import { weld, weldTriangles } from "../mesh/weld.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { averageWeights } from "./average-weights.ts";
import type { Character } from "./character.ts";
import { checkCharacter } from "./check-character.ts";
import type { PreparedCharacter } from "./prepared-character.ts";
import type { SkinWeights } from "./skin-weights.ts";

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
  const { welded } = prepared;
  const { influences } = weights;
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(welded.length * influences),
    weights: new Float32Array(welded.length * influences),
  };
  welded.forEach((place, vertex) => {
    const from = place * influences;
    out.joints.set(weights.joints.subarray(from, from + influences), vertex * influences);
    out.weights.set(weights.weights.subarray(from, from + influences), vertex * influences);
  });
  return out;
}

function normalization(positions: Float32Array): {
  scale: number;
  offset: [number, number, number];
} {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const longest = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return {
    scale: longest > 0 ? 1 / longest : 1,
    offset: [(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2],
  };
}

function toPrepared(positions: Float32Array, scale: number, offset: number[]): Float32Array {
  return positions.map((value, i) => (value - offset[i % 3]) * scale);
}
