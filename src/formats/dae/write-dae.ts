import { inverseOf, product } from "../../math/mat4.ts";
import { readRow, type SkinWeights, takeWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import type { MeshPart } from "../gltf/read-parts.ts";
import { otherFormat } from "../losses.ts";
import type { DaeMeshOrigin, DaeOrigin } from "../origins.ts";
import { fileSpace, partPlace, usedJoints, vertexOfPoints } from "../rows.ts";
import { childOf, floatText } from "../scene/values.ts";
import { fromRows, inputsOf, refer } from "./dae-document.ts";
import { type DaeDraft, daeJoints, freshId, skeletonsFor } from "./dae-joints.ts";
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
 * Puts weights into the COLLADA file a character was read from: what a `skin` holds is written anew,
 * controllers are made for meshes that had none; every other byte of the file stays as it is.
 *
 * @param weights V of the character, limited as they are to be written
 */
export function writeDae(file: CharacterFile, weights: SkinWeights): Uint8Array {
  const { name, dae } = file.source;
  if (!dae) throw otherFormat(name, "a .dae");
  const edits = beginEdits(dae.bytes);
  const { root } = dae.document;
  const prefix = /^<([^\s/>]*:)/.exec(rawText(edits, root.start, root.inside))?.[1] ?? "";
  const begun = { file, weights, dae, edits, toFile: fileSpace(file.source), prefix };
  const draft: DaeDraft = { ...begun, joints: daeJoints(begun) };
  const done = new Set<XmlElement>();
  for (const part of file.parts) {
    const origin = dae.meshes.get(part.mesh);
    const element = origin?.skin?.element ?? origin?.instance;
    if (!origin || !element || done.has(element)) continue;
    done.add(element);
    if (origin.skin) rewriteSkin(draft, part, origin);
    else addController(draft, part, origin);
  }
  return applyEdits(edits);
}

function rewriteSkin(draft: DaeDraft, part: MeshPart, { skin, instance }: DaeMeshOrigin): void {
  if (!skin) return;
  const { file, dae, edits, joints, weights } = draft;
  const { element } = skin;
  const { document } = dae;
  const vertexOf = vertexOfPoints(file, part.mesh);
  const shape = bindShapeOf(element);
  // A skeleton from elsewhere takes the place of the joints that were here.
  const isOwn = !joints.areNew;
  const names = isOwn ? skin.joints.names.slice() : [];
  const inverseBinds = isOwn ? inverseBindsOf(document, element, names.length) : [];
  const placed = joints.list.map(({ node }) => (isOwn ? skin.joints.nodes.indexOf(node) : -1));
  const toShape = product(draft.toFile, product(partPlace(file, part), inverseOf(shape)));
  const added: number[] = [];
  const used = usedJoints(takeWeights(weights, Int32Array.from(vertexOf.values())));
  for (const joint of joints.list.keys()) {
    if (isOwn && !used.has(joint)) continue;
    if (placed[joint] >= 0) continue;
    added.push(joint);
    placed[joint] = names.push(joints.nameOf(joint, skin.joints.areIds)) - 1;
    inverseBinds.push(product(inverseOf(joints.list[joint].world), toShape));
  }
  const inputs = inputsOf(childOf(element, "joints"));
  const owned = (url: string | undefined, word: string) => {
    const source = refer(document, url);
    const isInside = source && source.start > element.start && source.end < element.end;
    return (isInside && source.attributes.id) || freshId(draft.joints.ids, `skin-${word}`);
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
      placeOf: placed,
      pointCount: file.source.points?.get(part.mesh)?.count ?? 0,
    },
    draft.prefix,
  );
  replaceSkin(edits, element, text);
  const skeletons = skeletonsFor(draft, added, instance);
  if (skeletons) insertFirst(edits, instance, skeletons);
}

/** Puts text in the place of a skin's sources, joints and weights; the bind shape and extras stay. */
function replaceSkin(edits: XmlEdits, { children }: XmlElement, text: string): void {
  const isOld = ({ name }: XmlElement) => /^(?:source|joints|vertex_weights)$/.test(name);
  const first = children.findIndex(isOld);
  // Each run of them goes whole, with the blanks between.
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

/** A controller for a mesh that had none, shown in its place. */
function addController(draft: DaeDraft, part: MeshPart, { instance }: DaeMeshOrigin): void {
  const { file, dae, edits, joints, prefix, weights } = draft;
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
      placeOf: all,
    },
    prefix,
  );
  const shape = fromRows(product(draft.toFile, partPlace(file, part)))
    .map(floatText)
    .join(" ");
  const tag = (name: string) => `${prefix}${name}`;
  const controller =
    `<${tag("controller")} id="${escapeXml(id)}">` +
    `<${tag("skin")} source="${escapeXml(instance.attributes.url ?? "")}">\n` +
    `<${tag("bind_shape_matrix")}>${shape}</${tag("bind_shape_matrix")}>\n` +
    `${content}</${tag("skin")}></${tag("controller")}>\n`;
  addToLibrary(draft, dae, controller);
  const skeletons = skeletonsFor(draft, all, undefined);
  if (instance.name === "instance_controller") {
    // It shows another controller, a morph, which the new one takes in.
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

/** Adds a controller to the file's list of them, which is made before its scenes where there is none. */
function addToLibrary({ edits, prefix }: DaeDraft, dae: DaeOrigin, text: string): void {
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
    const whole = `<${prefix}library_controllers>\n${text}${close}`;
    edits.replaced.push({ start: at, end: at, text: whole });
  }
}

/** What a skin is to hold. */
export interface DaeSkinContent {
  /** Ids of its sources. */
  ids: { joints: string; inverseBinds: string; weights: string };
  /** Names of the joints, and whether they are ids rather than sids. */
  names: string[];
  areIds: boolean;
  /** One per joint, column by column. */
  inverseBinds: number[][];
  /** Points of the mesh, and the vertex behind each that has one. */
  pointCount: number;
  vertexOf: Map<number, number>;
  /** Of the character, and the place in `names` of each of its joints. */
  weights: SkinWeights;
  placeOf: number[];
}

/** The sources, joints and weights of a skin, as XML; `prefix` is that of the file's elements. */
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
      ...([ids.inverseBinds, "float_array", "TRANSFORM float4x4"] as const),
      ...([inverseBinds.flatMap((m) => fromRows(m).map(floatText)), 16] as const),
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

/** Different weights once, and for each point how many it has and which; 1 comes first, as all exporters have it. */
function listWeights({ weights, vertexOf, pointCount, placeOf }: DaeSkinContent) {
  const places = new Map<string, number>([["1", 0]]);
  const pairs: number[] = [];
  const counts = Array.from({ length: pointCount }, (_, point) => {
    const vertex = vertexOf.get(point);
    if (vertex === undefined) return 0;
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const word = String(Number(values[i].toPrecision(7)));
      const place = places.get(word) ?? places.size;
      places.set(word, place);
      pairs.push(placeOf[joint], place);
    });
    return joints.length;
  });
  return { values: [...places.keys()], counts, pairs };
}
