import { bonesOf } from "../skeleton/bones.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import type { SolveOptions } from "./solver.ts";

/** Bones a vertex may follow. */
const NEAREST = 8;

/** Weights fall with this power of the distance; four keeps a limb from dragging its neighbour. */
const FALLOFF = 4;

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */
const LEAST_DISTANCE = 1e-4;

/** Vertices between two reports of progress. */
const STEP = 4096;

/**
 * Weights that fall with the straight distance to the nearest bones, through walls and all.
 *
 * Needs neither grid nor model; the plainest method that always answers.
 */
export function inverseDistance(
  { character }: PreparedCharacter,
  { onProgress, signal }: SolveOptions = {},
): SkinWeights {
  const { positions } = character.mesh;
  const bones = bonesOf(character.skeleton);
  const vertices = positions.length / 3;
  const slots = Math.min(NEAREST, bones.starts.length - 1);
  const joints = new Int32Array(vertices * slots);
  const values = new Float64Array(vertices * slots);
  for (let vertex = 0; vertex < vertices; vertex++) {
    if (vertex % STEP === 0) {
      signal?.throwIfAborted();
      onProgress?.("inverse distance", vertex / vertices);
    }
    nearestBones(positions, vertex, bones, slots, joints, values);
    for (let i = vertex * slots; i < (vertex + 1) * slots; i++) {
      values[i] = Math.max(Math.sqrt(values[i]), LEAST_DISTANCE) ** -FALLOFF;
    }
  }
  return weightsFromSlots(joints, values, slots);
}

/** Fills the slots of one vertex with its nearest bones and their squared distances. */
function nearestBones(
  positions: Float32Array,
  vertex: number,
  { segments, starts }: { segments: Float32Array; starts: Int32Array },
  slots: number,
  joints: Int32Array,
  squared: Float64Array,
): void {
  const first = vertex * slots;
  let used = 0;
  for (let bone = 0; bone < starts.length - 1; bone++) {
    let distance = Infinity;
    for (let segment = starts[bone]; segment < starts[bone + 1]; segment++) {
      distance = Math.min(distance, squaredDistance(positions, vertex * 3, segments, segment * 6));
    }
    if (used === slots && distance >= squared[first + used - 1]) continue;
    if (used < slots) used++;
    let i = first + used - 1;
    for (; i > first && squared[i - 1] > distance; i--) {
      squared[i] = squared[i - 1];
      joints[i] = joints[i - 1];
    }
    squared[i] = distance;
    joints[i] = bone;
  }
}

/** From the point at `p` to the segment at `s` (head, then tail). */
function squaredDistance(points: Float32Array, p: number, segments: Float32Array, s: number) {
  let along = 0;
  let length = 0;
  for (let axis = 0; axis < 3; axis++) {
    const edge = segments[s + 3 + axis] - segments[s + axis];
    along += (points[p + axis] - segments[s + axis]) * edge;
    length += edge * edge;
  }
  const t = length > 0 ? Math.min(Math.max(along / length, 0), 1) : 0;
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const edge = segments[s + 3 + axis] - segments[s + axis];
    sum += (points[p + axis] - segments[s + axis] - t * edge) ** 2;
  }
  return sum;
}
