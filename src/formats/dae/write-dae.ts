import { inverseOf, product } from "../../math/mat4.ts";
import { readRow, type SkinWeights, takeWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import type { DaeMeshOrigin, DaeOrigin } from "../gltf/gltf-source.ts";
import type { MeshPart } from "../gltf/read-parts.ts";
import { otherFormat } from "../losses.ts";
import { fileSpace, pointsToCharacter, usedJoints, vertexOfPoints } from "../rows.ts";
import { childOf, floatText } from "../scene/values.ts";
import { fromRows, inputsOf, refer } from "./dae-document.ts";
import { type DaeEditor, daeJoints, freshId, skeletonsFor } from "./dae-joints.ts";
import { bindShapeOf, inverseBindsOf } from "./dae-skin.ts";
import {
  appendText,
  applyEdits,
  beginEdits,
  escapeXml,
  rawText,
  setAttribute,
  type XmlEdits,
  type XmlElement,
} from "./xml.ts";

/**
 * Writes weights into the COLLADA file a character was read from: the contents of `skin` elements are
 * replaced and missing controllers added; every other byte of the file stays as it is.
 *
 * @param weights a row per vertex of the character, already limited to the maximum influences
 */
export function writeDae(file: CharacterFile, weights: SkinWeights): Uint8Array {
  const { name, dae } = file.source;
  if (!dae) throw otherFormat(name, "a .dae");
  const edits = beginEdits(dae.bytes);
  const { root } = dae.document;
  const prefix = /^<([^\s/>]*:)/.exec(rawText(edits, root.start, root.inside))?.[1] ?? "";
  const begun = { file, weights, dae, edits, toFile: fileSpace(file.source), prefix };
  const editor: DaeEditor = { ...begun, joints: daeJoints(begun) };
  const done = new Set<XmlElement>();
  for (const part of file.parts) {
    const origin = dae.meshes.get(part.mesh);
    const element = origin?.skin?.element ?? origin?.instance;
    if (!origin || !element || done.has(element)) continue;
    done.add(element);
    if (origin.skin) rewriteSkin(editor, part, origin);
    else addController(editor, part, origin);
  }
  return applyEdits(edits);
}

function rewriteSkin(editor: DaeEditor, part: MeshPart, { skin, instance }: DaeMeshOrigin): void {
  if (!skin) return;
  const { file, dae, edits, joints, weights } = editor;
  const { element } = skin;
  const { document } = dae;
  const vertexOf = vertexOfPoints(file, part.mesh);
  const shape = bindShapeOf(element);
  // A skeleton from another file replaces the joints of this one.
  const isOwn = !joints.areNew;
  const names = isOwn ? skin.joints.names.slice() : [];
  const inverseBinds = isOwn ? inverseBindsOf(document, element, names.length) : [];
  const indexOf = joints.list.map(({ node }) => (isOwn ? skin.joints.nodes.indexOf(node) : -1));
  const toShape = product(editor.toFile, product(pointsToCharacter(file, part), inverseOf(shape)));
  const added: number[] = [];
  const used = usedJoints(takeWeights(weights, Int32Array.from(vertexOf.values())));
  for (const joint of joints.list.keys()) {
    if ((isOwn && !used.has(joint)) || indexOf[joint] >= 0) continue;
    added.push(joint);
    indexOf[joint] = names.push(joints.nameOf(joint, skin.joints.areIds)) - 1;
    inverseBinds.push(product(inverseOf(joints.list[joint].world), toShape));
  }
  const inputs = inputsOf(childOf(element, "joints"));
  const owned = (url: string | undefined, word: string) => {
    const source = refer(document, url);
    const isInside = source && source.start > element.start && source.end < element.end;
    return (isInside && source.attributes.id) || freshId(editor.joints.ids, `skin-${word}`);
  };
  const weightInputs = inputsOf(childOf(element, "vertex_weights"));
  const text = daeSkinText(
    {
      ids: {
        joints: owned(inputs.get("JOINT")?.source, "joints"),
        inverseBinds: owned(inputs.get("INV_BIND_MATRIX")?.source, "binds"),
        weights: owned(weightInputs.get("WEIGHT")?.source, "weights"),
      },
      names,
      areIds: skin.joints.areIds,
      inverseBinds,
      vertexOf,
      weights,
      indexOf,
      pointCount: file.source.points?.get(part.mesh)?.count ?? 0,
    },
    editor.prefix,
  );
  replaceSkin(edits, element, text);
  const skeletons = skeletonsFor(editor, added, instance);
  if (skeletons) insertFirst(edits, instance, skeletons);
}

/** Replaces a skin's sources, joints and weights; the bind shape and extras stay. */
function replaceSkin(edits: XmlEdits, { children }: XmlElement, text: string): void {
  const isOld = ({ name }: XmlElement) => /^(?:source|joints|vertex_weights)$/.test(name);
  const first = children.findIndex(isOld);
  // Each run of them is replaced together with the blanks between.
  for (let at = first; at < children.length; at++) {
    if (!isOld(children[at])) continue;
    const start = children[at].start;
    const isFirst = at === first;
    while (at + 1 < children.length && isOld(children[at + 1])) at++;
    edits.replaced.push({ start, end: children[at].end, text: isFirst ? text.trimEnd() : "" });
  }
}

function insertFirst(edits: XmlEdits, element: XmlElement, text: string): void {
  if (element.inside === element.end) appendText(edits, element, text);
  else edits.replaced.push({ start: element.inside, end: element.inside, text });
}

/** Adds a controller for a mesh that had none, and shows it instead of the mesh. */
function addController(editor: DaeEditor, part: MeshPart, { instance }: DaeMeshOrigin): void {
  const { file, dae, edits, joints, prefix, weights } = editor;
  const all = joints.list.map((_, joint) => joint);
  const id = freshId(joints.ids, `${(instance.attributes.url ?? "mesh").replace(/^#/, "")}-skin`);
  const content = daeSkinText(
    {
      ids: { joints: `${id}-joints`, inverseBinds: `${id}-binds`, weights: `${id}-weights` },
      names: all.map((joint) => joints.nameOf(joint, false)),
      areIds: false,
      inverseBinds: joints.list.map(({ world }) => inverseOf(world)),
      pointCount: file.source.points?.get(part.mesh)?.count ?? 0,
      vertexOf: vertexOfPoints(file, part.mesh),
      weights,
      indexOf: all,
    },
    prefix,
  );
  const shape = fromRows(product(editor.toFile, pointsToCharacter(file, part)))
    .map(floatText)
    .join(" ");
  const tag = (name: string) => `${prefix}${name}`;
  const controller =
    `<${tag("controller")} id="${escapeXml(id)}">` +
    `<${tag("skin")} source="${escapeXml(instance.attributes.url ?? "")}">\n` +
    `<${tag("bind_shape_matrix")}>${shape}</${tag("bind_shape_matrix")}>\n` +
    `${content}</${tag("skin")}></${tag("controller")}>\n`;
  addToLibrary(editor, dae, controller);
  const skeletons = skeletonsFor(editor, all, undefined);
  if (instance.name === "instance_controller") {
    // It shows another controller, a morph, which becomes the source of the new one.
    setAttribute(edits, instance, "url", `#${id}`);
    insertFirst(edits, instance, skeletons);
    return;
  }
  const inner = rawText(edits, instance.inside, instance.insideEnd);
  const first = rawText(edits, instance.start, instance.inside)
    .replace(/^<[^\s/>]+/, `<${tag("instance_controller")}`)
    .replace(/(\surl\s*=\s*)("[^"]*"|'[^']*')/, (_, key: string) => `${key}"#${escapeXml(id)}"`)
    .replace(/\s*\/>$/, ">");
  edits.replaced.push({
    start: instance.start,
    end: instance.end,
    text: `${first}${skeletons}${inner}</${tag("instance_controller")}>`,
  });
}

/** Adds a controller to the file's library of controllers, creating the library before the scenes. */
function addToLibrary({ edits, prefix }: DaeEditor, dae: DaeOrigin, text: string): void {
  const { root } = dae.document;
  const library = childOf(root, "library_controllers");
  if (library) {
    appendText(edits, library, text);
    return;
  }
  const scenes = childOf(root, "library_visual_scenes");
  const at = scenes?.start ?? root.insideEnd;
  const open = edits.replaced.find((edit) => edit.start === at && edit.end === at);
  const close = `</${prefix}library_controllers>\n`;
  if (open) open.text = open.text.slice(0, -close.length) + text + close;
  else {
    const created = `<${prefix}library_controllers>\n${text}${close}`;
    edits.replaced.push({ start: at, end: at, text: created });
  }
}

/** The contents of a skin to write. */
export interface DaeSkinContent {
  ids: { joints: string; inverseBinds: string; weights: string };
  /** Names of the joints, and whether they are ids rather than sids. */
  names: string[];
  areIds: boolean;
  /** One per joint, column-major. */
  inverseBinds: number[][];
  /** Points of the mesh, and the vertex behind each that has one. */
  pointCount: number;
  vertexOf: Map<number, number>;
  /** Weights of the character, and the index in `names` of each of its joints. */
  weights: SkinWeights;
  indexOf: number[];
}

/** Serializes the sources, joints and weights of a skin; `prefix` is the namespace prefix. */
function daeSkinText(content: DaeSkinContent, prefix: string): string {
  const { ids, names, areIds, inverseBinds } = content;
  const { values, counts, pairs } = listWeights(content);
  const tag = (name: string, attributes: string, inner: string) =>
    `<${prefix}${name}${attributes}>${inner}</${prefix}${name}>\n`;
  const source = (id: string, array: string, type: string, words: string[], stride: number) =>
    tag(
      "source",
      ` id="${escapeXml(id)}"`,
      tag(array, ` id="${escapeXml(id)}-array" count="${words.length}"`, words.join(" ")) +
        tag(
          "technique_common",
          "",
          `<${prefix}accessor source="#${escapeXml(id)}-array" count="${words.length / stride}" stride="${stride}">` +
            `<${prefix}param name="${type.split(" ")[0]}" type="${type.split(" ")[1]}"/></${prefix}accessor>`,
        ),
    );
  const input = (semantic: string, id: string, offset = "") =>
    `<${prefix}input semantic="${semantic}" source="#${escapeXml(id)}"${offset}/>`;
  const [array, type] = areIds ? ["IDREF_array", "JOINT IDREF"] : ["Name_array", "JOINT name"];
  return (
    source(ids.joints, array, type, names.map(escapeXml), 1) +
    source(
      ids.inverseBinds,
      "float_array",
      "TRANSFORM float4x4",
      inverseBinds.flatMap((m) => fromRows(m).map(floatText)),
      16,
    ) +
    source(ids.weights, "float_array", "WEIGHT float", values, 1) +
    tag("joints", "", input("JOINT", ids.joints) + input("INV_BIND_MATRIX", ids.inverseBinds)) +
    tag(
      "vertex_weights",
      ` count="${content.pointCount}"`,
      input("JOINT", ids.joints, ' offset="0"') +
        input("WEIGHT", ids.weights, ' offset="1"') +
        tag("vcount", "", counts.join(" ")) +
        tag("v", "", pairs.join(" ")),
    )
  );
}

/** Distinct weights, and per point their count and indices; 1 comes first, as exporters write it. */
function listWeights({ weights, vertexOf, pointCount, indexOf }: DaeSkinContent) {
  const distinct = new Map<string, number>([["1", 0]]);
  const pairs: number[] = [];
  const counts = Array.from({ length: pointCount }, (_, point) => {
    const vertex = vertexOf.get(point);
    if (vertex === undefined) return 0;
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const word = String(Number(values[i].toPrecision(7)));
      const index = distinct.get(word) ?? distinct.size;
      distinct.set(word, index);
      pairs.push(indexOf[joint], index);
    });
    return joints.length;
  });
  return { values: [...distinct.keys()], counts, pairs };
}
