import type { Accessor, Document, Mesh, Node, Skin, Transform } from "@gltf-transform/core";
import type { Character } from "../../character/character.ts";
import { fillEmpty } from "../../finish/fill-empty.ts";
import { identityMat4, inverseOf, product } from "../../math/mat4.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { limitInfluences } from "../../weights/weight-locks.ts";
import type { CharacterFile } from "../character-file.ts";
import { characterFromGltf } from "../gltf/character-from-gltf.ts";
import type { GltfJson } from "../gltf/gltf-json.ts";
import type { MeshPart } from "../gltf/read-parts.ts";
import { isSpareSet, weightSets } from "../gltf/write-part-weights.ts";
import { partRows, usedJoints } from "../rows.ts";

/** Options for {@link bind}. */
export interface BindOptions {
  /** Maximum joints per vertex, 1 to 8; default 4. */
  maxInfluences?: number;
}

/** Computes the weights of a character, such as `skin` of this package. */
export type Weigh = (character: Character) => SkinWeights | Promise<SkinWeights>;

/**
 * Returns a glTF-Transform step that computes the skin weights of a document's meshes:
 * `await document.transform(bind(async (character) => (await skin(character)).weights))`.
 */
export function bind(weigh: Weigh, { maxInfluences = 4 }: BindOptions = {}): Transform {
  return async (document: Document): Promise<void> => {
    const file = readDocument(document);
    const weights = limitInfluences(await weigh(file.character), maxInfluences);
    applyWeights(document, file, fillEmpty(weights, file.character).weights);
  };
}

/** Reads the character of a glTF-Transform document, in its bind pose, y up. */
export function characterFromDocument(document: Document): Character {
  return readDocument(document).character;
}

/** Presents a document to the reader as parsed glTF; geometry is referenced, not copied. */
function readDocument(document: Document): CharacterFile {
  const root = document.getRoot();
  const accessors = root.listAccessors();
  const [nodes, meshes, skins] = [root.listNodes(), root.listMeshes(), root.listSkins()];
  const [nodeAt, meshAt, skinAt] = [indexIn(nodes), indexIn(meshes), indexIn(skins)];
  const accessorAt = indexIn(accessors);
  const reference = <T>(indices: Map<T, number>, key: string, item: T | null) =>
    item === null ? {} : { [key]: indices.get(item)! };
  const arrays = accessors.map((accessor) => accessor.getArray() ?? new Uint8Array(0));
  const buffers = arrays.map((a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength));
  const json: GltfJson = {
    asset: { version: "2.0" },
    accessors: accessors.map((accessor, index) => ({
      bufferView: index,
      componentType: accessor.getComponentType(),
      count: accessor.getCount(),
      type: accessor.getType(),
      normalized: accessor.getNormalized(),
    })),
    bufferViews: buffers.map(({ byteLength }, buffer) => ({ buffer, byteLength })),
    buffers: buffers.map(({ byteLength }) => ({ byteLength })),
    nodes: nodes.map((node) => ({
      name: node.getName(),
      children: node.listChildren().map((child) => nodeAt.get(child)!),
      translation: node.getTranslation(),
      rotation: node.getRotation(),
      scale: node.getScale(),
      ...reference(meshAt, "mesh", node.getMesh()),
      ...reference(skinAt, "skin", node.getSkin()),
    })),
    meshes: meshes.map((mesh) => ({
      name: mesh.getName(),
      primitives: mesh.listPrimitives().map((primitive) => ({
        mode: primitive.getMode(),
        attributes: Object.fromEntries(
          primitive
            .listSemantics()
            .map((semantic) => [semantic, accessorAt.get(primitive.getAttribute(semantic)!)!]),
        ),
        ...reference(accessorAt, "indices", primitive.getIndices()),
      })),
    })),
    skins: skins.map((skin) => ({
      joints: skin.listJoints().map((joint) => nodeAt.get(joint)!),
      ...reference(accessorAt, "inverseBindMatrices", skin.getInverseBindMatrices()),
    })),
  };
  return characterFromGltf({ name: "document", json, buffers, images: new Map() }, "gltf");
}

function indexIn<T>(list: readonly T[]): Map<T, number> {
  return new Map(list.map((item, index) => [item, index]));
}

function applyWeights(document: Document, file: CharacterFile, weights: SkinWeights): void {
  const root = document.getRoot();
  const [nodes, meshes, skins] = [root.listNodes(), root.listMeshes(), root.listSkins()];
  const owners = new Map<Mesh, string>();
  const copies = new Map<string, Mesh>();
  for (const part of file.parts) {
    const key = part.nodes.join();
    let mesh = meshes[part.mesh];
    if (!owners.has(mesh)) owners.set(mesh, key);
    // Weights belong to a mesh, so a mesh shown with two skins or by two nodes is copied.
    if (owners.get(mesh) !== key) {
      mesh = copies.get(`${part.mesh}/${key}`) ?? mesh.clone();
      copies.set(`${part.mesh}/${key}`, mesh);
      mesh.listPrimitives().forEach((p) => void mesh.removePrimitive(p).addPrimitive(p.clone()));
    }
    const skin = part.skin >= 0 ? skins[part.skin] : document.createSkin();
    const indexOf = completeSkin(document, file, part, skin, nodes, weights);
    for (const node of part.nodes) nodes[node].setMesh(mesh).setSkin(skin);
    setWeights(document, part, mesh, weights, indexOf);
  }
}

/** Adds the joints that a skin lacks; returns the skin's index of each joint of the rig. */
function completeSkin(
  document: Document,
  { rig }: CharacterFile,
  part: MeshPart,
  skin: Skin,
  nodes: Node[],
  weights: SkinWeights,
): Map<number, number> {
  const known = indexIn(skin.listJoints());
  const wanted =
    known.size === 0 ? rig.nodes.map((_, joint) => joint) : usedJoints(partRows(weights, part));
  const missing = [...wanted].filter((joint) => !known.has(nodes[rig.nodes[joint]]));
  if (missing.length > 0) {
    const old =
      skin.getInverseBindMatrices()?.getArray() ?? [...known.keys()].flatMap(identityMat4);
    const added = missing.flatMap((joint) =>
      product(inverseOf(rig.bindMatrices[joint]), part.toCharacter),
    );
    skin.setInverseBindMatrices(
      createAccessor(document, Float32Array.from([...old, ...added]), "MAT4"),
    );
    for (const joint of missing) skin.addJoint(nodes[rig.nodes[joint]]);
  }
  const all = indexIn(skin.listJoints());
  return new Map(Array.from(rig.nodes, (node, joint) => [joint, all.get(nodes[node]) ?? -1]));
}

function setWeights(
  document: Document,
  part: MeshPart,
  mesh: Mesh,
  weights: SkinWeights,
  indexOf: Map<number, number>,
): void {
  const toSkin = (joint: number) => indexOf.get(joint)!;
  const minSets = Math.ceil(weights.influences / 4);
  const sets = weightSets(partRows(weights, part), toSkin, false, minSets);
  const accessors = sets.flatMap((set, n): [string, Accessor][] => [
    [`JOINTS_${n}`, createAccessor(document, set.joints, "VEC4")],
    [`WEIGHTS_${n}`, createAccessor(document, set.weights, "VEC4")],
  ]);
  for (const p of part.primitives) {
    const primitive = mesh.listPrimitives()[p];
    for (const [semantic, accessor] of accessors) primitive.setAttribute(semantic, accessor);
    for (const semantic of primitive.listSemantics()) {
      if (isSpareSet(semantic, sets.length)) primitive.setAttribute(semantic, null);
    }
  }
}

function createAccessor(
  document: Document,
  data: Float32Array | Uint16Array | Uint8Array,
  type: "VEC4" | "MAT4",
): Accessor {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  return document.createAccessor().setType(type).setArray(data).setBuffer(buffer);
}
