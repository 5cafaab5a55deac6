import { quantizeWeights } from "../../weights/quantize-weights.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { partRows } from "../part-rows.ts";
import { addAccessor, type GltfDraft, setAccessor, VERTEX_TARGET } from "./gltf-draft.ts";
import { entry, type GltfJson } from "./gltf-json.ts";
import type { MeshPart } from "./mesh-part.ts";
import { isSpareSet, weightSets } from "./weight-sets.ts";

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
  const primitives = part.primitives.map(
    (p) => entry(draft.json, "meshes", part.mesh).primitives[p],
  );
  const rows = partRows(weights, part);
  const stored = type === "float32" ? rows : quantizeWeights(rows, type === "uint8" ? 255 : 65535);
  const widest = stored.joints.reduce((most, joint) => Math.max(most, toSkin[joint]), 0);
  const sets = weightSets(stored, (joint) => toSkin[joint], widest < 256);
  sets.forEach(({ joints, weights: values }, n) => {
    setAttribute(draft, primitives, `JOINTS_${n}`, joints);
    setAttribute(draft, primitives, `WEIGHTS_${n}`, values, type !== "float32");
  });
  for (const { attributes } of primitives) {
    for (const semantic of Object.keys(attributes)) {
      if (isSpareSet(semantic, sets.length)) delete attributes[semantic];
    }
  }
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
