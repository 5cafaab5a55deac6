import type { MeasuredCharacter } from "../distance/measure.ts";
import { bonesOf } from "../skeleton/bones.ts";
import { deformingJoints, deformSkeleton } from "../skeleton/deforming-joints.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { Solver } from "./solver.ts";

/** A character under a control rig as methods see it: the joints that deform, on their own. */
interface DeformingPart {
  prepared: PreparedCharacter;
  /** The joint of the whole skeleton each of its joints is. */
  joints: Int32Array;
}

/** Parts made before, so that what was measured on one is found again. */
const parts = new WeakMap<PreparedCharacter["character"], DeformingPart | null>();

/**
 * A method that looks at the joints that deform alone, where a skeleton is a control rig (see
 * `deformingJoints`): the others stand at the same places and would take their weights.
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
    const { convention, deforming } = deformingJoints(prepared.character.skeleton);
    const note = `The skeleton is a control rig (${convention}); ${part.joints.length} of its ${deforming.length} joints deform, the others get no weight.`;
    return {
      ...solved,
      notes: [note, ...(notes ?? [])],
      weights: { ...weights, joints },
      measured: measured && wholeMeasure(measured, part.joints, prepared.character.skeleton),
    };
  };
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
  const { deforming } = deformingJoints(character.skeleton);
  if (deforming.every((is) => is === 1)) return null;
  const { skeleton, joints } = deformSkeleton(character.skeleton, deforming);
  const { weights: _, ...rest } = character;
  return { prepared: { ...prepared, character: { ...rest, skeleton } }, joints };
}

/** Distances by the joints of the whole skeleton. */
function wholeMeasure(
  measured: MeasuredCharacter,
  joints: Int32Array,
  skeleton: Skeleton,
): MeasuredCharacter {
  const { distances } = measured;
  const bones = distances.bones.map((bone) => (bone < 0 ? -1 : joints[bone]));
  return { ...measured, bones: bonesOf(skeleton), distances: { ...distances, bones } };
}
