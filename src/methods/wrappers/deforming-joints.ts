import type { PreparedCharacter } from "../../character/character.ts";
import type { MeasuredCharacter } from "../../distance/measure.ts";
import { boundsOf, chebyshevDistance, longestSide } from "../../math/aabb.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import { deformingJoints, deformSkeleton } from "../../skeleton/deforming-joints.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import type { Solver } from "../solver.ts";

/** A character with only the joints that deform and are in reach. */
interface DeformingPart {
  prepared: PreparedCharacter;
  joints: Int32Array;
}

/** Parts created before, so that their measurements can be reused. */
const parts = new WeakMap<PreparedCharacter["character"], DeformingPart | null>();

/**
 * Restricts a method to the deforming joints if a skeleton is a control rig (see `deformingJoints`): the others
 * coincide with them and would take their weights. It also hides joints out of reach.
 */
export function onDeformingJoints(solve: Solver): Solver {
  return async (prepared, options) => {
    const part = options.allJoints ? null : partOf(prepared);
    if (!part) return solve(prepared, options);
    const solved = await solve(part.prepared, options);
    const { weights, measured, notes } = solved;
    const joints = weights.joints.map((joint, slot) =>
      weights.weights[slot] > 0 ? part.joints[joint] : 0,
    );
    return {
      ...solved,
      notes: [...rigNote(prepared.character.skeleton), ...(notes ?? [])],
      weights: { ...weights, joints },
      measured: measured && fullMeasure(measured, part.joints, prepared.character.skeleton),
    };
  };
}

function rigNote(skeleton: Skeleton): string[] {
  const { convention, deforming } = deformingJoints(skeleton);
  if (convention === undefined) return [];
  const count = deforming.filter((is) => is === 1).length;
  return [
    `The skeleton is a control rig (${convention}); ${count} of its ${deforming.length} joints deform, the others get no weight.`,
  ];
}

function partOf(prepared: PreparedCharacter): DeformingPart | null {
  const { character } = prepared;
  const known = parts.get(character);
  if (known !== undefined) return known;
  const made = makePart(prepared);
  parts.set(character, made);
  return made;
}

function makePart(prepared: PreparedCharacter): DeformingPart | null {
  const { character } = prepared;
  const far = outOfReach(character);
  const seen = deformingJoints(character.skeleton).deforming.map((is, j) => is & (1 - far[j]));
  // Only distant joints deform: better those than none.
  if (seen.every((is) => is === 1) || !seen.includes(1)) return null;
  const { skeleton, joints } = deformSkeleton(character.skeleton, seen);
  const { weights: _, ...rest } = character;
  return { prepared: { ...prepared, character: { ...rest, skeleton } }, joints };
}

function fullMeasure(measured: MeasuredCharacter, joints: Int32Array, skeleton: Skeleton) {
  const { distances } = measured;
  const bones = distances.bones.map((bone) => (bone < 0 ? -1 : joints[bone]));
  return { ...measured, bones: bonesOf(skeleton), distances: { ...distances, bones } };
}

/** Joints farther away, in longest sides of the mesh, are ignored unless no other joint is closer. */
export const FARTHEST_BONE = 2;

/**
 * Returns the joints (J, 1 or 0) that, with their descendants, are farther from the mesh than any plausible
 * bone, such as a misplaced control; all 0 if every joint is.
 */
export function outOfReach({ mesh, skeleton }: { mesh: Mesh; skeleton: Skeleton }): Uint8Array {
  const { positions, parents } = skeleton;
  const box = boundsOf(mesh.positions);
  const reach = FARTHEST_BONE * longestSide(box);
  const far = new Uint8Array(parents.length).fill(1);
  for (let joint = 0; joint < far.length; joint++) {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    if (chebyshevDistance(box, x, y, z) > reach) continue;
    // Its ancestors are needed.
    for (let at = joint; at >= 0 && far[at] === 1; at = parents[at]) far[at] = 0;
  }
  return far.includes(0) ? far : far.fill(0);
}
