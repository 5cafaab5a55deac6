import { InputError } from "../input-error.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { GltfPrimitive } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import type { MeshPart } from "./mesh-part.ts";
import { readFloats, readIntegers } from "./read-accessor.ts";

/**
 * The weights a file holds, from all its JOINTS_n and WEIGHTS_n sets, as joints of the rig: equal
 * joints of a vertex added up, rows sorted and summing to 1. A vertex the artist left without weight has a row of zeros.
 *
 * @param jointOf by skin: the joint of the rig behind each of the skin's joint indices
 * @returns undefined where no vertex has any weight
 */
export function readWeights(
  source: GltfSource,
  parts: MeshPart[],
  jointOf: Map<number, Int32Array>,
): SkinWeights | undefined {
  const rows: [joint: number, weight: number][][] = [];
  for (const part of parts) {
    const primitive = source.json.meshes![part.mesh].primitives[part.primitives[0]];
    const sets = readSets(source, primitive, part.count);
    const joints = jointOf.get(part.skin);
    for (let vertex = 0; vertex < part.count; vertex++) {
      rows.push(joints ? readRow(source, sets, vertex, joints) : []);
    }
  }
  return packRows(rows);
}

/** Packs rows of joint and weight, heaviest first, into SkinWeights with as many slots as the longest needs. */
export function packRows(rows: [joint: number, weight: number][][]): SkinWeights | undefined {
  const influences = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (influences === 0) return undefined;
  const joints = new Uint16Array(rows.length * influences);
  const weights = new Float32Array(rows.length * influences);
  rows.forEach((row, vertex) => {
    const total = row.reduce((sum, [, weight]) => sum + weight, 0);
    row.forEach(([joint, weight], slot) => {
      joints[vertex * influences + slot] = joint;
      weights[vertex * influences + slot] = weight / total;
    });
  });
  return { influences, joints, weights };
}

interface WeightSet {
  joints: Uint32Array;
  weights: Float32Array;
}

function readSets(source: GltfSource, primitive: GltfPrimitive, count: number): WeightSet[] {
  const sets: WeightSet[] = [];
  for (let n = 0; ; n++) {
    const joints = primitive.attributes[`JOINTS_${n}`];
    const weights = primitive.attributes[`WEIGHTS_${n}`];
    if (joints === undefined || weights === undefined) return sets;
    const accessors = [joints, weights].map((index) => source.json.accessors![index]);
    if (accessors.some((accessor) => accessor.type !== "VEC4" || accessor.count !== count)) {
      throw new InputError(
        `${source.name}: JOINTS_${n} or WEIGHTS_${n} does not have one row of four per vertex; the file is damaged.`,
      );
    }
    sets.push({ joints: readIntegers(source, joints), weights: readFloats(source, weights) });
  }
}

function readRow(
  source: GltfSource,
  sets: WeightSet[],
  vertex: number,
  joints: Int32Array,
): [number, number][] {
  const row: [number, number][] = [];
  for (const set of sets) {
    for (let at = vertex * 4; at < vertex * 4 + 4; at++) {
      const weight = set.weights[at];
      if (!(weight > 0)) continue;
      if (set.joints[at] >= joints.length) {
        throw new InputError(
          `${source.name}: vertex ${vertex} is weighted to joint ${set.joints[at]}, but its skin has ${joints.length}; the file is damaged.`,
        );
      }
      const joint = joints[set.joints[at]];
      const same = row.find(([other]) => other === joint);
      if (same) same[1] += weight;
      else row.push([joint, weight]);
    }
  }
  return row.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}
