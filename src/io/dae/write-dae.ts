import type { SkinWeights } from "../../weights/skin-weights.ts";
import { takeWeights } from "../../weights/weight-row.ts";
import type { CharacterFile } from "../character-file.ts";
import { fileSpace, partPlace } from "../file-space.ts";
import { floatText } from "../float-text.ts";
import type { MeshPart } from "../gltf/mesh-part.ts";
import { inverseOf, product } from "../matrices.ts";
import { usedJoints } from "../part-rows.ts";
import { vertexOfPoints } from "../point-rows.ts";
import { otherFormat } from "../refusals.ts";
import { childOf } from "../tree.ts";
import { inputsOf, refer } from "./dae-document.ts";
import { type DaeDraft, daeJoints, freshId, skeletonsFor } from "./dae-joints.ts";
import type { DaeMeshOrigin, DaeOrigin } from "./dae-origin.ts";
import { bindShapeOf, inverseBindsOf } from "./dae-skin.ts";
import { daeSkinText } from "./dae-skin-text.ts";
import { fromRows } from "./dae-transform.ts";
import {
  appendText,
  applyEdits,
  beginEdits,
  escapeXml,
  rawText,
  setAttribute,
  type XmlEdits,
} from "./edit-xml.ts";
import type { XmlElement } from "./parse-xml.ts";

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
      ...{ names, areIds: skin.joints.areIds, inverseBinds, vertexOf, weights, placeOf: placed },
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
      ...{ weights, placeOf: all },
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
