import { quantizeWeights } from "../../weights/quantize-weights.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { partRows } from "../rows.ts";
import {
  addAccessor,
  addUses,
  type GltfBuilder,
  type GltfUses,
  setAccessor,
  VERTEX_TARGET,
} from "./gltf-builder.ts";
import { entry } from "./gltf-json.ts";
import type { MeshPart } from "./read-parts.ts";

/** Storage type of weights in a file. */
export type WeightType = "float32" | "uint16" | "uint8";

/**
 * Writes the weights of one part as JOINTS_n and WEIGHTS_n of its primitives, and removes unused sets.
 *
 * @param toSkin by joint of the rig: its index in the skin
 * @param uses references of the JSON, which are kept up to date
 */
export function writePartWeights(
  builder: GltfBuilder,
  part: MeshPart,
  weights: SkinWeights,
  toSkin: Int32Array,
  type: WeightType,
  uses: GltfUses,
): void {
  const primitives = part.primitives.map(
    (p) => entry(builder.json, "meshes", part.mesh).primitives[p],
  );
  const rows = partRows(weights, part);
  const stored = type === "float32" ? rows : quantizeWeights(rows, type === "uint8" ? 255 : 65535);
  const widest = stored.joints.reduce((max, joint) => Math.max(max, toSkin[joint]), 0);
  const sets = weightSets(stored, (joint) => toSkin[joint], widest < 256);
  sets.forEach(({ joints, weights: values }, n) => {
    setAttribute(builder, primitives, uses, `JOINTS_${n}`, joints);
    setAttribute(builder, primitives, uses, `WEIGHTS_${n}`, values, type !== "float32");
  });
  for (const { attributes } of primitives) {
    for (const semantic of Object.keys(attributes)) {
      if (!isSpareSet(semantic, sets.length)) continue;
      addUses(uses.accessors, attributes[semantic], -1);
      delete attributes[semantic];
    }
  }
}

function setAttribute(
  builder: GltfBuilder,
  primitives: { attributes: Record<string, number> }[],
  uses: GltfUses,
  semantic: string,
  data: Uint8Array | Uint16Array | Float32Array,
  normalized = false,
): void {
  const what = { data, type: "VEC4" as const, normalized, target: VERTEX_TARGET };
  const old = primitives[0].attributes[semantic];
  const isOwn =
    old !== undefined &&
    uses.accessors.get(old) === primitives.filter((p) => p.attributes[semantic] === old).length;
  const accessor = isOwn ? old : addAccessor(builder, what);
  if (isOwn) setAccessor(builder, old, what, uses);
  for (const { attributes } of primitives) {
    if (attributes[semantic] !== undefined) addUses(uses.accessors, attributes[semantic], -1);
    attributes[semantic] = accessor;
    addUses(uses.accessors, accessor, 1);
  }
}

/** Rows of weights of any storage type. */
export interface StoredRows {
  /** I, slots per vertex. */
  influences: number;
  /** V×I. */
  joints: ArrayLike<number>;
  /** V×I. */
  weights: Float32Array | Uint16Array | Uint8Array;
}

/** One pair of JOINTS_n and WEIGHTS_n, V×4 each. */
export interface WeightSet {
  joints: Uint8Array | Uint16Array;
  weights: Float32Array | Uint16Array | Uint8Array;
}

/**
 * Splits rows into sets of four, as glTF stores them: as many as the widest row needs, and at least one. A
 * slot without weight names joint 0.
 *
 * @param toSkin the index in the skin of a row's joint
 * @param isSmall whether joints fit into bytes
 * @param minSets number of sets to create, used or not
 */
export function weightSets(
  { influences, joints, weights }: StoredRows,
  toSkin: (joint: number) => number,
  isSmall = false,
  minSets = 1,
): WeightSet[] {
  const count = weights.length / influences;
  let last = 0;
  for (let i = 0; i < weights.length; i++)
    if (weights[i] > 0) last = Math.max(last, i % influences);
  return Array.from({ length: Math.max(Math.floor(last / 4) + 1, minSets) }, (_, n) => {
    const set = {
      joints: isSmall ? new Uint8Array(count * 4) : new Uint16Array(count * 4),
      weights: new (weights.constructor as new (size: number) => typeof weights)(count * 4),
    };
    for (let vertex = 0; vertex < count; vertex++) {
      for (let slot = 0; slot < 4 && n * 4 + slot < influences; slot++) {
        const at = vertex * influences + n * 4 + slot;
        if (!(weights[at] > 0)) continue;
        set.weights[vertex * 4 + slot] = weights[at];
        set.joints[vertex * 4 + slot] = toSkin(joints[at]);
      }
    }
    return set;
  });
}

/** Whether an attribute belongs to a set beyond the first `sets`. */
export function isSpareSet(semantic: string, sets: number): boolean {
  const set = /^(?:JOINTS|WEIGHTS)_(\d+)$/.exec(semantic);
  return set !== null && Number(set[1]) >= sets;
}
