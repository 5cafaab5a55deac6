import type { Steps } from "../../event-loop.ts";
import { influenceHistogram } from "../../weights/check-weights.ts";
import { type SkinWeights, weightsFromSlots } from "../../weights/skin-weights.ts";
import { spend } from "../budget.ts";
import { damaged } from "../losses.ts";
import { readFloats, readIntegers } from "./accessors.ts";
import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import type { MeshPart } from "./read-parts.ts";

/**
 * In steps: reads the weights of a file from all its JOINTS_n and WEIGHTS_n sets, as joints of the rig: duplicate
 * joints of a vertex merged, rows sorted and normalized. A vertex without weights has a row of zeros.
 *
 * @param jointOf by skin: the rig joint of each joint index of the skin
 * @returns undefined if no vertex has any weight
 */
export function* weightSteps(
  source: GltfSource,
  parts: MeshPart[],
  jointOf: Map<number, Int32Array>,
): Steps<SkinWeights | undefined> {
  const sets = parts.map((part) => readSets(source, part));
  yield;
  const slots = 4 * sets.reduce((max, own) => Math.max(max, own.length), 0);
  if (slots === 0) return undefined;
  const vertices = parts.reduce((sum, part) => sum + part.count, 0);
  spend(source.budget, vertices * slots * 16);
  const joints = new Int32Array(vertices * slots).fill(-1);
  const weights = new Float32Array(vertices * slots);
  for (const [p, part] of parts.entries()) {
    const toRig = jointOf.get(part.skin)!;
    for (const [n, set] of sets[p].entries()) {
      for (let i = 0; i < part.count * 4; i++) {
        const at = (part.first + Math.floor(i / 4)) * slots + n * 4 + (i % 4);
        if (!(set.weights[i] > 0)) continue;
        const joint = set.joints[i];
        if (joint >= toRig.length) {
          const vertex = `vertex ${Math.floor(i / 4)} of mesh ${part.mesh}`;
          const problem = `is weighted to joint ${joint}, but its skin has ${toRig.length}`;
          throw damaged(source.name, `${vertex} ${problem}`);
        }
        joints[at] = toRig[joint];
        weights[at] = set.weights[i];
      }
      yield;
    }
  }
  const rows = weightsFromSlots(joints, weights, slots);
  yield;
  return trimSlots(rows);
}

function trimSlots(weights: SkinWeights): SkinWeights | undefined {
  const { influences } = weights;
  const used = influenceHistogram(weights).findLastIndex((count) => count > 0);
  if (used < 1) return undefined;
  return {
    influences: used,
    joints: weights.joints.filter((_, slot) => slot % influences < used),
    weights: weights.weights.filter((_, slot) => slot % influences < used),
  };
}

interface WeightSet {
  joints: Uint32Array;
  weights: Float32Array;
}

function readSets(source: GltfSource, { mesh, primitives, count }: MeshPart): WeightSet[] {
  const primitive = entry(source.json, "meshes", mesh).primitives[primitives[0]];
  const sets: WeightSet[] = [];
  for (let n = 0; ; n++) {
    const joints = primitive.attributes[`JOINTS_${n}`];
    const weights = primitive.attributes[`WEIGHTS_${n}`];
    if (joints === undefined || weights === undefined) return sets;
    const accessors = [joints, weights].map((index) => entry(source.json, "accessors", index));
    if (accessors.some((accessor) => accessor.type !== "VEC4" || accessor.count !== count)) {
      throw damaged(source.name, `JOINTS_${n} or WEIGHTS_${n} is not one VEC4 per vertex`);
    }
    spend(source.budget, count * 32);
    sets.push({ joints: readIntegers(source, joints), weights: readFloats(source, weights) });
  }
}
