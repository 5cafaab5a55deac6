import type { CharacterFile } from "../formats/character-file.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance } from "../math/vec3.ts";
import { parentsFirst } from "../skeleton/skeleton.ts";
import { type SkinWeights, weightPerJoint, weightsFromSlots } from "../weights/skin-weights.ts";

/** Joints of one name within this fraction of the skeleton's size are the same. */
const SAME_POSITION = 0.05;

/** A target's skeleton has to have this fraction of the joints that carry weight to count as the same. */
const MIN_SHARED = 0.5;

/** Weights on the skeleton that the target of a transfer has. */
export interface SharedSkeleton {
  file: CharacterFile;
  weights: SkinWeights;
  notes: string[];
}

/**
 * Maps weights from the joints of a source to those of a target that has the same skeleton, so that the
 * target's animations and its humanoid keep moving the mesh. Joints correspond by name and position.
 *
 * A joint that the target lacks is added below the counterpart of its parent if `canAdd`; otherwise its weight
 * goes to the nearest ancestor that the target has.
 *
 * @returns undefined if the target has no skeleton, or another one
 */
export function shareSkeleton(
  source: CharacterFile,
  target: CharacterFile,
  weights: SkinWeights,
  canAdd: boolean,
): SharedSkeleton | undefined {
  const { names, parents } = source.rig.skeleton;
  const used = weightPerJoint(weights, names.length);
  const twins = twinJoints(source, target);
  const carrying = [...names.keys()].filter((joint) => used[joint] > 0);
  const shared = carrying.filter((joint) => twins[joint] >= 0);
  if (shared.length === 0 || shared.length < MIN_SHARED * carrying.length) return undefined;
  const file = canAdd ? withMissing(source, target, twins, carrying) : target;
  const ancestor = (joint: number) => {
    let at = joint;
    while (at >= 0 && twins[at] < 0) at = parents[at];
    return at >= 0 ? twins[at] : twins[shared[0]];
  };
  const missing = carrying.filter((joint) => twins[joint] < 0);
  const joints = weights.joints.map((joint) => ancestor(joint));
  const lost = missing.map((joint) => names[joint]).join(", ");
  return {
    file,
    weights: weightsFromSlots(joints, weights.weights, weights.influences),
    notes: lost ? [`The target lacks ${lost}; their weight went to their parents.`] : [],
  };
}

/** By joint of the source: the joint of the target with its name at its position, or -1. */
function twinJoints({ rig: from }: CharacterFile, { rig: to }: CharacterFile): Int32Array {
  const near = SAME_POSITION * longestSide(boundsOf(from.skeleton.positions));
  const at = ({ positions }: typeof from.skeleton, joint: number) =>
    positions.subarray(joint * 3, joint * 3 + 3);
  const byName = new Map<string, number[]>();
  to.skeleton.names.forEach((name, joint) => {
    byName.set(name, [...(byName.get(name) ?? []), joint]);
  });
  return Int32Array.from(from.skeleton.names, (name, joint) => {
    const away = (other: number) => distance(at(from.skeleton, joint), at(to.skeleton, other));
    const nearest = (byName.get(name) ?? []).sort((a, b) => away(a) - away(b))[0];
    return nearest !== undefined && away(nearest) <= near ? nearest : -1;
  });
}

/** Adds the joints that the target lacks, and marks them in `twins`; a root without a counterpart is not added. */
function withMissing(
  { rig: from }: CharacterFile,
  target: CharacterFile,
  twins: Int32Array,
  carrying: number[],
): CharacterFile {
  const { names, parents, positions } = target.rig.skeleton;
  const needed = new Set<number>();
  for (const joint of carrying) {
    for (let at = joint; at >= 0 && twins[at] < 0; at = from.skeleton.parents[at]) needed.add(at);
  }
  const added: number[] = [];
  const parentsOf: number[] = [];
  for (const joint of parentsFirst(from.skeleton)) {
    const parent = from.skeleton.parents[joint];
    if (!needed.has(joint) || parent < 0 || twins[parent] < 0) continue;
    twins[joint] = names.length + added.push(joint) - 1;
    parentsOf.push(twins[parent]);
  }
  if (added.length === 0) return target;
  const skeleton = {
    names: [...names, ...added.map((joint) => from.skeleton.names[joint])],
    parents: Int32Array.from([...parents, ...parentsOf]),
    positions: Float32Array.from([
      ...positions,
      ...added.flatMap((joint) => [...from.skeleton.positions.subarray(joint * 3, joint * 3 + 3)]),
    ]),
  };
  const rig = {
    skeleton,
    bindMatrices: [...target.rig.bindMatrices, ...added.map((joint) => from.bindMatrices[joint])],
    nodes: Int32Array.from([...target.rig.nodes, ...added.map(() => -1)]),
  };
  return { ...target, rig, character: { ...target.character, skeleton } };
}
