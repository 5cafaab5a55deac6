import { quantizeWeights } from "../../weights/quantize-weights.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { addAccessor, type GltfDraft, setAccessor, VERTEX_TARGET } from "./gltf-draft.ts";
import type { GltfJson } from "./gltf-json.ts";
import type { MeshPart } from "./mesh-part.ts";

/** How weights are stored in a file. */
export type WeightType = "float32" | "uint16" | "uint8";

/**
 * Writes the rows of one part as JOINTS_n and WEIGHTS_n of its primitives, and removes sets that are no
 * longer used.
 *
 * @param toSkin by joint of the rig: its index in the skin
 */
export function writePartWeights(
  draft: GltfDraft,
  part: MeshPart,
  weights: SkinWeights,
  toSkin: Int32Array,
  type: WeightType,
): void {
  const primitives = part.primitives.map((p) => draft.json.meshes![part.mesh].primitives[p]);
  const rows = partRows(weights, part);
  const stored = type === "float32" ? rows : quantizeWeights(rows, type === "uint8" ? 255 : 65535);
  const widest = stored.joints.reduce((most, joint) => Math.max(most, toSkin[joint]), 0);
  const sets = Math.max(1, Math.ceil(usedInfluences(stored) / 4));
  for (let n = 0; n < sets; n++) {
    const joints = widest < 256 ? new Uint8Array(part.count * 4) : new Uint16Array(part.count * 4);
    const values = new (stored.weights.constructor as new (size: number) => typeof stored.weights)(
      part.count * 4,
    );
    for (let vertex = 0; vertex < part.count; vertex++) {
      for (let slot = 0; slot < 4 && n * 4 + slot < stored.influences; slot++) {
        const at = vertex * stored.influences + n * 4 + slot;
        if (!(stored.weights[at] > 0)) continue;
        values[vertex * 4 + slot] = stored.weights[at];
        joints[vertex * 4 + slot] = toSkin[stored.joints[at]];
      }
    }
    setAttribute(draft, primitives, `JOINTS_${n}`, joints);
    setAttribute(draft, primitives, `WEIGHTS_${n}`, values, type !== "float32");
  }
  for (const { attributes } of primitives) {
    for (const semantic of Object.keys(attributes)) {
      const set = /^(?:JOINTS|WEIGHTS)_(\d+)$/.exec(semantic);
      if (set && Number(set[1]) >= sets) delete attributes[semantic];
    }
  }
}

function partRows(weights: SkinWeights, { first, count }: MeshPart): SkinWeights {
  const { influences } = weights;
  return {
    influences,
    joints: weights.joints.slice(first * influences, (first + count) * influences),
    weights: weights.weights.slice(first * influences, (first + count) * influences),
  };
}

function usedInfluences(rows: { influences: number; weights: ArrayLike<number> }): number {
  let used = 0;
  for (let i = 0; i < rows.weights.length; i++) {
    if (rows.weights[i] > 0) used = Math.max(used, (i % rows.influences) + 1);
  }
  return used;
}

function setAttribute(
  draft: GltfDraft,
  primitives: { attributes: Record<string, number> }[],
  semantic: string,
  data: Uint8Array | Uint16Array | Float32Array,
  normalized = false,
): void {
  const what = { data, type: "VEC4" as const, normalized, target: VERTEX_TARGET };
  const old = primitives[0].attributes[semantic];
  const isOwn =
    old !== undefined &&
    countUses(draft.json, old) === primitives.filter((p) => p.attributes[semantic] === old).length;
  const accessor = isOwn ? old : addAccessor(draft, what);
  if (isOwn) setAccessor(draft, old, what);
  for (const { attributes } of primitives) attributes[semantic] = accessor;
}

function countUses(json: GltfJson, accessor: number): number {
  const used: (number | undefined)[] = (json.skins ?? []).map((skin) => skin.inverseBindMatrices);
  for (const animation of json.animations ?? []) {
    for (const sampler of animation.samplers) used.push(sampler.input, sampler.output);
  }
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) {
      used.push(primitive.indices, ...Object.values(primitive.attributes));
      for (const target of primitive.targets ?? []) used.push(...Object.values(target));
    }
  }
  return used.filter((index) => index === accessor).length;
}
