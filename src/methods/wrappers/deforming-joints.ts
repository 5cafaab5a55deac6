import type { PreparedCharacter } from "../../character/character.ts";
import type { MeasuredCharacter } from "../../distance/measure.ts";
import { boundsOf, chebyshevDistance, longestSide } from "../../math/aabb.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import { deformingJoints, deformSkeleton } from "../../skeleton/deforming-joints.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import type { Solver } from "../solver.ts";

/** A character reduced to the deforming joints in reach. */
interface DeformingPart {
  prepared: PreparedCharacter;
  /** The original index of each joint. */
  joints: Int32Array;
}

/** Cached parts, so that their measurements are reused. */
const parts = new WeakMap<PreparedCharacter["character"], DeformingPart | null>();

/**
 * Restricts a method to the deforming joints of a control rig (see `deformingJoints`), because the
 * others at the same positions would take their weight, and to joints in reach.
 */
export function onDeformingJoints(solve: Solver): Solver {
  return async (prepared, options) => {
    const part = options.allJoints ? null : partOf(prepared);
    if (!part) return solve(prepared, options);
    const solved = await solve(part.prepared, options);
    const { weights, unsmoothed, measured, notes } = solved;
    return {
      ...solved,
      notes: [...rigNote(prepared.character.skeleton), ...(notes ?? [])],
      weights: fullJoints(weights, part.joints),
      unsmoothed: unsmoothed && fullJoints(unsmoothed, part.joints),
      measured: measured && fullMeasure(measured, part.joints, prepared.character.skeleton),
    };
  };
}

/** Converts weights to the original joint indices. */
function fullJoints({ influences, joints, weights }: SkinWeights, full: Int32Array): SkinWeights {
  const converted = joints.map((joint, slot) => (weights[slot] > 0 ? full[joint] : 0));
  return { influences, joints: converted, weights };
}

/** Converts weights to the joints of the part; the others lose their weight. */
function partJoints(given: SkinWeights, full: Int32Array, count: number): SkinWeights {
  const { influences, joints, weights } = given;
  const numbers = new Int32Array(count).fill(-1);
  full.forEach((joint, at) => {
    numbers[joint] = at;
  });
  return {
    influences,
    joints: joints.map((joint) => Math.max(0, numbers[joint])),
    weights: weights.map((value, slot) => (numbers[joints[slot]] < 0 ? 0 : value)),
  };
}

function rigNote(skeleton: Skeleton): string[] {
  const { convention, deforming } = deformingJoints(skeleton);
  if (convention === undefined) return [];
  const count = deforming.filter((is) => is === 1).length;
  return [
    `The skeleton is a control rig (${convention}); ${count} of its ${deforming.length} joints deform, the others receive no weight.`,
  ];
}

function partOf(prepared: PreparedCharacter): DeformingPart | null {
  const { character } = prepared;
  if (!parts.has(character)) parts.set(character, makePart(prepared));
  return parts.get(character)!;
}

function makePart(prepared: PreparedCharacter): DeformingPart | null {
  const { character } = prepared;
  const far = outOfReach(character);
  const seen = deformingJoints(character.skeleton).deforming.map((is, j) => is & (1 - far[j]));
  // Far joints are better than none.
  if (seen.every((is) => is === 1) || !seen.includes(1)) return null;
  const { skeleton, joints } = deformSkeleton(character.skeleton, seen);
  const { weights: given, ...rest } = character;
  const part = {
    ...rest,
    skeleton,
    ...(given && { weights: partJoints(given, joints, seen.length) }),
  };
  return { prepared: { ...prepared, character: part }, joints };
}

/** Converts distances to the original joint indices. */
function fullMeasure(
  measured: MeasuredCharacter,
  joints: Int32Array,
  skeleton: Skeleton,
): MeasuredCharacter {
  const { distances } = measured;
  const bones = distances.bones.map((bone) => (bone < 0 ? -1 : joints[bone]));
  return { ...measured, bones: bonesOf(skeleton), distances: { ...distances, bones } };
}

/**
 * Maximum distance of a joint, in longest sides of the mesh; farther joints are ignored unless no
 * other joint is closer.
 */
export const MAX_BONE_DISTANCE = 2;

/**
 * Finds joints whose whole subtree is farther from the mesh than any artist would bind, such as
 * stray controls.
 *
 * @returns J, 1 if out of reach; all 0 if every joint is
 */
export function outOfReach({ mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton }): Uint8Array {
  const { positions, parents } = skeleton;
  const box = boundsOf(mesh.positions);
  const reach = MAX_BONE_DISTANCE * longestSide(box);
  const far = new Uint8Array(parents.length).fill(1);
  for (let joint = 0; joint < far.length; joint++) {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    if (chebyshevDistance(box, x, y, z) > reach) continue;
    // Its ancestors are needed.
    for (let at = joint; at >= 0 && far[at] === 1; at = parents[at]) far[at] = 0;
  }
  return far.includes(0) ? far : far.fill(0);
}
