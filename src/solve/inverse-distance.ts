import { euclideanDistances } from "../distance/euclidean.ts";
import { bonesOf } from "../skeleton/bones.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import type { SolvedWeights, SolveOptions } from "./solver.ts";

/** Bones a vertex may follow. */
const NEAREST = 8;

/** Weights fall with this power of the distance; four keeps a limb from dragging its neighbour. */
const FALLOFF = 4;

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */
const LEAST_DISTANCE = 1e-4;

/**
 * Weights that fall with the straight distance to the nearest bones, through walls and all.
 *
 * Needs neither grid nor model; the plainest method that always answers.
 */
export function inverseDistance(
  { character }: PreparedCharacter,
  { onProgress, signal }: SolveOptions = {},
): SolvedWeights {
  signal?.throwIfAborted();
  onProgress?.("inverse distance", 0);
  const { mesh, skeleton } = character;
  const k = Math.min(NEAREST, skeleton.parents.length);
  const { bones, distances } = euclideanDistances(mesh, bonesOf(skeleton), { k });
  const values = Float64Array.from(
    distances,
    (distance) => Math.max(distance, LEAST_DISTANCE) ** -FALLOFF,
  );
  return { weights: weightsFromSlots(bones, values, k) };
}
