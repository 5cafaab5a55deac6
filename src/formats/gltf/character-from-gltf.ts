import { runSteps, type Steps } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { inverseIndex } from "../../math/arrays.ts";
import { type Mesh, vertexCount } from "../../mesh/mesh.ts";
import { rowCount, type SkinWeights, takeWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { baseName, stemOf } from "../endings.ts";
import { fileOrder } from "../rows.ts";
import { type BindSpace, bindSpace, checkJoints, emptyRig, type Rig, rigOf } from "./bind-space.ts";
import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { type NodeTree, nodeTree } from "./node-tree.ts";
import { type MeshInstance, partSteps, weightSteps } from "./read-parts.ts";

/** Options for {@link characterFromGltf}. */
export interface CharacterFromGltfOptions {
  /** A rig from another file; it replaces the file's own. */
  rig?: Rig | undefined;
  /** Weights that came with that rig; used if they have a row for each vertex. */
  weights?: SkinWeights | undefined;
  /** Whether a file without joints is an error; default true. */
  needsJoints?: boolean | undefined;
}

/**
 * Builds the character of a glTF: all skinned meshes merged, in the bind pose, y up.
 *
 * Unskinned meshes next to skinned ones are attachments or scenery and are ignored. If no mesh is skinned,
 * all of them are merged in world space, with the joints of an unused skin or of a node subtree without
 * meshes.
 */
export function characterFromGltf(source: GltfSource, format: string): CharacterFile {
  return runSteps(characterSteps(source, format));
}

/** {@link characterFromGltf} in steps. */
export function* characterSteps(
  source: GltfSource,
  format: string,
  options: CharacterFromGltfOptions = {},
): Steps<CharacterFile> {
  const tree = nodeTree(source.json);
  const skinned = skinnedInstances(source);
  const oddities: string[] = [...(source.notes ?? [])];
  let space: BindSpace | undefined;
  if (skinned.length > 0) {
    space = bindSpace(source, tree, [...new Set(skinned.map((instance) => instance.skin))]);
    for (const instance of skinned) instance.toCharacter = space.toCharacter.get(instance.skin)!;
    oddities.push(...space.oddities);
    yield;
  }
  const instances = skinned.length > 0 ? skinned : staticInstances(source, tree);
  const rig = options.rig ?? space?.rig ?? unusedRig(source, tree) ?? emptyRig();
  const isEmpty = instances.every(
    ({ mesh }) => !entry(source.json, "meshes", mesh).primitives.length,
  );
  if (isEmpty && rig.nodes.length === 0) {
    throw new InputError(`${source.name}: the file has no mesh and no joints.`);
  }
  if (rig.nodes.length === 0 && options.needsJoints !== false) {
    throw new InputError({
      where: source.name,
      what: "the file has no joints",
      remedy: {
        option: "skeleton",
        advice: "use the skeleton of another file, or fit a template such as template:biped",
      },
    });
  }
  const { mesh, parts } = yield* partSteps(source, instances);
  if (mesh.positions.length === 0) oddities.push("The file has no mesh, only a skeleton.");
  const weights = options.rig
    ? fittingWeights(options.weights, mesh, { parts, source }, oddities)
    : space && (yield* weightSteps(source, parts, space.jointOf));
  const name = stemOf(baseName(source.name));
  const character = { name, mesh, skeleton: rig.skeleton, ...(weights ? { weights } : {}) };
  return { character, format, source, parts, rig, oddities };
}

/** Reorders weights of another file, whose rows are in the order of this file's vertices. */
function fittingWeights(
  weights: SkinWeights | undefined,
  mesh: Mesh,
  file: Pick<CharacterFile, "parts" | "source">,
  oddities: string[],
): SkinWeights | undefined {
  if (!weights) return undefined;
  if (rowCount(weights) === vertexCount(mesh)) {
    const order = fileOrder(file);
    return takeWeights(weights, inverseIndex(order, order.length));
  }
  oddities.push("The weights of the skeleton's file have another number of vertices; ignored.");
  return undefined;
}

/** Reads the rig of a glTF alone: of its skins, or of a node subtree without meshes. */
export function rigFromGltf(source: GltfSource): Rig {
  const tree = nodeTree(source.json);
  const used = [...new Set(skinnedInstances(source).map((instance) => instance.skin))];
  const rig = used.length > 0 ? bindSpace(source, tree, used).rig : unusedRig(source, tree);
  if (!rig || rig.nodes.length === 0) {
    throw new InputError(`${source.name}: the file has no joints; it cannot serve as a skeleton.`);
  }
  return { ...rig, nodes: new Int32Array(rig.nodes.length).fill(-1) };
}

/** One instance per mesh and skin, with all nodes that show it. */
function skinnedInstances({ json }: GltfSource): MeshInstance[] {
  const found = new Map<string, MeshInstance>();
  (json.nodes ?? []).forEach((node, index) => {
    if (node.mesh === undefined || node.skin === undefined) return;
    if (entry(json, "skins", node.skin).joints.length === 0) return;
    const key = `${node.mesh}/${node.skin}`;
    const instance = found.get(key);
    if (instance) instance.nodes.push(index);
    else found.set(key, { mesh: node.mesh, skin: node.skin, nodes: [index], toCharacter: [] });
  });
  return [...found.values()];
}

function staticInstances({ json }: GltfSource, tree: NodeTree): MeshInstance[] {
  return (json.nodes ?? []).flatMap((node, index) =>
    node.mesh === undefined
      ? []
      : [{ mesh: node.mesh, skin: -1, nodes: [index], toCharacter: tree.worlds[index] }],
  );
}

/** Joints that no mesh uses: those of a skin without mesh, or node subtrees without meshes. */
function unusedRig(source: GltfSource, tree: NodeTree): Rig | undefined {
  const { json } = source;
  const skins = (json.skins ?? []).flatMap((skin, index) =>
    skin.joints.length > 0 ? [index] : [],
  );
  if (skins.length > 0) return bindSpace(source, tree, skins).rig;
  const joints = bareBranches(source, tree);
  if (joints.length < 2) return undefined;
  checkJoints(source, joints);
  const bindMatrices = joints.map((node) => tree.worlds[node]);
  return rigOf(source, tree, joints, bindMatrices);
}

/** Nodes without meshes, cameras or extensions in their subtree, in subtrees of at least two. */
function bareBranches({ json }: GltfSource, tree: NodeTree): number[] {
  const nodes = json.nodes ?? [];
  const shows = nodes.map(
    (node) => node.mesh !== undefined || node.camera !== undefined || node.extensions !== undefined,
  );
  shows.forEach((shown, index) => {
    if (!shown) return;
    for (let at = tree.parents[index]; at >= 0 && !shows[at]; at = tree.parents[at])
      shows[at] = true;
  });
  return nodes.flatMap((node, index) => {
    const parent = tree.parents[index];
    const hasCompany = (node.children?.length ?? 0) > 0 || (parent >= 0 && !shows[parent]);
    return !shows[index] && hasCompany ? [index] : [];
  });
}
