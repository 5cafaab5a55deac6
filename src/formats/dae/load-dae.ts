import { createPacer, type Pacer } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { composeMat4, identityMat4 } from "../../math/mat4.ts";
import { spend, TEXT_GROWTH } from "../budget.ts";
import { stemOf } from "../endings.ts";
import type { DaeMeshOrigin, GltfSource } from "../gltf/gltf-source.ts";
import type { LoadContext } from "../load-context.ts";
import { badExport, CUBIC_KEYS, reportLoss } from "../losses.ts";
import { combineTextures, createImageFinder, missingNotes } from "../scene/images.ts";
import { plainMaterial, type Scene, type SceneNode } from "../scene/scene.ts";
import { gltfSteps } from "../scene/scene-to-gltf.ts";
import { childOf, childrenNamed, pushTo } from "../scene/values.ts";
import { type DaeNode, readDaeAnimation } from "./dae-animation.ts";
import {
  type DaeDocument,
  daeDocument,
  daeMatrix,
  readLongNumbers,
  refer,
  referToNode,
  stepsOf,
} from "./dae-document.ts";
import { readDaeCamera, readDaeMaterial } from "./dae-look.ts";
import { daeMeshSteps, morphWeightsId, readDaeMorph } from "./dae-mesh.ts";
import { type DaeSkinJoints, readDaeSkin, readSkinJoints } from "./dae-skin.ts";
import { type XmlElement, xmlDescendants, xmlSteps, xmlWords } from "./xml.ts";

/** Maximum node depth; nodes can be instanced, so the depth is not bounded by the file size. */
const MAX_DEPTH = 1000;

type DaeScene = ReturnType<typeof beginScene>;

/** Whether the bytes begin like a COLLADA file. */
export function isDae(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 1024)).includes("<COLLADA");
}

/** Reads a COLLADA file (1.4, 1.5) as glTF: meshes, all skin influences, materials, hierarchy, animation. */
export async function loadDae(
  file: string,
  bytes: Uint8Array,
  context: LoadContext,
): Promise<GltfSource> {
  const { budget, pacer = createPacer() } = context;
  spend(budget, TEXT_GROWTH * bytes.length);
  const root = childOf(await pacer.run(xmlSteps(file, bytes, budget)), "COLLADA");
  if (!root) throw new InputError(`${file}: this XML is not a COLLADA file.`);
  const document = daeDocument(file, root);
  await pacer.run(readLongNumbers(document));
  const dae = beginScene(document, context, pacer);
  const shown = refer(
    document,
    childOf(childOf(root, "scene"), "instance_visual_scene")?.attributes.url,
  );
  const visual = shown ?? xmlDescendants(root, "visual_scene")[0];
  for (const node of childrenNamed(visual, "node")) addNode(dae, node, 0, []);
  for (let node = 1; node < dae.elements.length; node++) await addMeshes(dae, node);
  const animation = readDaeAnimation(document, dae.byId, dae.morphs, dae.scene.meshes);
  if (animation) dae.scene.animations.push(animation);
  if (!dae.scene.meshes.some((mesh) => mesh.skin)) {
    dae.scene.looseJoints = dae.elements.flatMap((element, n) =>
      element?.attributes.type === "JOINT" ? [n] : [],
    );
  }
  dae.scene.notes = [...missingNotes("image", dae.images.missing), ...dae.notes];
  reportUnread(document);
  document.numbers.clear();
  const { origins, ...source } = await pacer.run(gltfSteps(file, dae.scene));
  const meshes = new Map([...origins].map(([mesh, index]) => [mesh, dae.origins[index]]));
  return {
    ...source,
    budget,
    dae: { document, bytes, visual, meshes, elements: dae.elements },
  };
}

/** A scene with only a root node, which converts axes and units. */
function beginScene(document: DaeDocument, { resolve, budget }: LoadContext, pacer: Pacer) {
  const { file, root, losses } = document;
  const matrix = axisMatrix(childOf(root, "asset"));
  const nodes: SceneNode[] = [{ name: stemOf(file), parent: -1, matrix }];
  const scene: Scene = { nodes, meshes: [], materials: [], animations: [], losses };
  return {
    document,
    scene,
    /** The XML element of each node but the first. */
    elements: [undefined] as (XmlElement | undefined)[],
    byId: new Map<string, DaeNode>(),
    /** Nodes by sid, and the first of each name. */
    bySid: new Map<string, number[]>(),
    byName: new Map<string, number>(),
    materials: new Map<string, number>(),
    budget,
    pacer,
    images: createImageFinder(resolve, { losses, missing: new Set() }),
    notes: new Set<string>(),
    /** By id of a morph's weights: the scene meshes they drive. */
    morphs: new Map<string, number[]>(),
    /** Elements that were read. */
    geometries: new Set<XmlElement>(),
    /** By scene mesh: its elements in the file. */
    origins: [] as DaeMeshOrigin[],
  };
}

function axisMatrix(asset: XmlElement | undefined): number[] {
  const meter = Number(childOf(asset, "unit")?.attributes.meter ?? 1);
  const unit = Number.isFinite(meter) && meter > 0 ? meter : 1;
  const half = Math.SQRT1_2;
  const up = childOf(asset, "up_axis")?.text.trim();
  const rotation =
    up === "Z_UP" ? [-half, 0, 0, half] : up === "X_UP" ? [0, 0, half, half] : [0, 0, 0, 1];
  return composeMat4([0, 0, 0], rotation, [unit, unit, unit]);
}

/** @param line ancestors of the element, outermost first */
function addNode(dae: DaeScene, element: XmlElement, parent: number, line: XmlElement[]): void {
  const { document, scene } = dae;
  if (line.includes(element)) throw badExport(document.file, "a node is its own ancestor");
  if (line.length > MAX_DEPTH) {
    throw new InputError(`${document.file}: nodes are nested more than ${MAX_DEPTH} deep.`);
  }
  spend(dae.budget, 1, "nodes");
  const steps = stepsOf(element);
  const { name, id, sid } = element.attributes;
  const node =
    scene.nodes.push({
      name: name ?? id ?? sid ?? "node",
      parent,
      matrix: daeMatrix(steps),
      ...readDaeCamera(document, element, Math.hypot(...scene.nodes[0].matrix.slice(0, 3))),
    }) - 1;
  dae.elements.push(element);
  if (id !== undefined) dae.byId.set(id, { node, steps });
  if (sid !== undefined) pushTo(dae.bySid, sid, node);
  if (name !== undefined && !dae.byName.has(name)) dae.byName.set(name, node);
  for (const child of element.children) {
    if (child.name === "node") addNode(dae, child, node, [...line, element]);
    const placed =
      child.name === "instance_node" ? referToNode(document, child.attributes.url) : undefined;
    if (placed) addNode(dae, placed, node, [...line, element]);
  }
}

/** A COLLADA node may show several meshes; each after the first gets its own node. */
async function addMeshes(dae: DaeScene, node: number): Promise<void> {
  const { scene } = dae;
  const element = dae.elements[node];
  for (const instance of element?.children ?? []) {
    if (instance.name !== "instance_geometry" && instance.name !== "instance_controller") continue;
    const mesh = await addMesh(dae, instance, node);
    if (mesh === undefined) continue;
    if (scene.nodes[node].mesh === undefined) scene.nodes[node].mesh = mesh;
    else {
      const matrix = identityMat4();
      scene.nodes.push({ name: scene.meshes[mesh].name, parent: node, matrix, mesh });
      dae.elements.push(undefined);
    }
  }
}

async function addMesh(dae: DaeScene, instance: XmlElement, node: number) {
  const { document, scene } = dae;
  let target = refer(document, instance.attributes.url);
  const skin = childOf(target, "skin");
  let morph: XmlElement | undefined;
  // A skin may deform a morph controller or the other way around; the last source is a geometry.
  for (let depth = 0; target?.name === "controller" && depth < 8; depth++) {
    const own = childOf(target, "morph");
    morph ??= own;
    target = refer(document, (childOf(target, "skin") ?? own)?.attributes.source);
  }
  // A geometry is parsed again for each of its instances.
  const isCopy = target !== undefined && dae.geometries.has(target);
  if (isCopy) spend(dae.budget, 1, "copies");
  if (target) dae.geometries.add(target);
  spend(dae.budget, target ? sourceLength(target) : 0);
  const read = target && (await dae.pacer.run(daeMeshSteps(document, target)));
  if (!read) return undefined;
  if (read.isShort) {
    dae.notes.add(`Some polygons of "${read.mesh.name}" lack corners; they were skipped.`);
  }
  if (read.mesh.sizes.length === 0) return undefined;
  if (isCopy) spend(dae.budget, read.mesh.corners.length, "copiedCorners");
  spend(dae.budget, read.mesh.corners.length / 4 + read.mesh.points.length / 3, "vertices");
  const bound = new Map(
    xmlDescendants(instance, "instance_material").map(({ attributes }) => [
      attributes.symbol,
      attributes.target,
    ]),
  );
  for (const symbol of read.symbols)
    read.mesh.materials.push(await materialOf(dae, bound.get(symbol) ?? symbol));
  let joints: DaeSkinJoints | undefined;
  if (skin) {
    const roots = childrenNamed(instance, "skeleton").map(
      (s) => dae.byId.get(s.text.trim().replace(/^#/, ""))?.node,
    );
    const points = read.mesh.points.length / 3;
    spend(dae.budget, TEXT_GROWTH * sourceLength(skin));
    joints = readSkinJoints(document, skin, (name, isId) => findJoint(dae, name, isId, roots));
    read.mesh.skin = readDaeSkin(document, skin, points, joints);
    await dae.pacer.pause();
  }
  if (morph) {
    read.mesh.shapes = readDaeMorph(document, morph, read.mesh.points, dae.budget);
    pushTo(dae.morphs, morphWeightsId(morph), scene.meshes.length);
  }
  read.mesh.name = scene.nodes[node].name;
  dae.origins.push({ instance, skin: skin && joints && { element: skin, joints } });
  return scene.meshes.push(read.mesh) - 1;
}

/** Length of the text below an element. */
function sourceLength({ text, children }: XmlElement): number {
  return children.reduce((sum, child) => sum + sourceLength(child), text.length);
}

async function materialOf(dae: DaeScene, url: string): Promise<number> {
  const known = dae.materials.get(url);
  if (known !== undefined) return known;
  const element = refer(dae.document, url);
  const material = element
    ? combineTextures(await readDaeMaterial(dae.document, element, dae.images), dae.images.losses)
    : plainMaterial("material");
  const index = dae.scene.materials.push(material) - 1;
  dae.materials.set(url, index);
  return index;
}

/** Finds the node of a joint: by id, or by sid below the skeleton's root, then anywhere, then by name. */
function findJoint(
  { byId, bySid, byName, scene }: DaeScene,
  name: string,
  isId: boolean,
  roots: (number | undefined)[],
): number | undefined {
  if (isId) return byId.get(name)?.node;
  const tops = new Set(roots);
  const isBelowRoot = (node: number) => {
    for (let at = node; at >= 0; at = scene.nodes[at].parent) if (tops.has(at)) return true;
    return false;
  };
  const withSid = bySid.get(name) ?? [];
  return withSid.find(isBelowRoot) ?? withSid[0] ?? byId.get(name)?.node ?? byName.get(name);
}

/** Elements that the reader ignores, and their names in reports. */
const UNREAD: Record<string, string> = {
  lines: "lines",
  linestrips: "lines",
  spline: "splines",
  convex_mesh: "convex meshes",
  animation_clip: "animation clips (merged into one animation)",
  rigid_body: "rigid bodies",
  rigid_constraint: "rigid body constraints",
  kinematics_model: "kinematics models",
  force_field: "force fields",
  skew: "node skews",
  lookat: "look-at transforms",
};

/** Counts the content of a COLLADA file that is not read. */
export function reportUnread({ root, losses }: DaeDocument): void {
  const visit = (element: XmlElement) => {
    const what = Object.hasOwn(UNREAD, element.name) ? UNREAD[element.name] : undefined;
    if (what) reportLoss(losses, what);
    if (element.name === "technique" && element.attributes.profile !== undefined) {
      reportLoss(losses, `extras for ${element.attributes.profile}`);
    }
    element.children.forEach(visit);
  };
  root.children.forEach(visit);
  for (const sampler of xmlDescendants(root, "Name_array")) {
    const words = new Set(xmlWords(sampler));
    if (words.has("BEZIER") || words.has("HERMITE")) {
      reportLoss(losses, CUBIC_KEYS);
    }
  }
  const scenes = childrenNamed(childOf(root, "library_visual_scenes"), "visual_scene");
  reportLoss(losses, "inactive scenes", scenes.length - 1);
}
