import { InputError } from "../../input-error.ts";
import { product } from "../../math/mat4.ts";
import { childrenOf, type Skeleton } from "../../skeleton/skeleton.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import type { DaeOrigin } from "../gltf/gltf-source.ts";
import { localJoints, rigidJoints } from "../rows.ts";
import { childrenNamed, floatText } from "../scene/values.ts";
import { fromRows, refer } from "./dae-document.ts";
import { appendText, escapeXml, setAttribute, type XmlEdits, type XmlElement } from "./xml.ts";

/** The joints of a character in a COLLADA file. */
export interface DaeJoints {
  /** By joint of the character. */
  list: {
    /** Its node in the scene, -1 if it is new. */
    node: number;
    element: XmlElement | undefined;
    /** To the file's world, in the bind pose. */
    world: number[];
  }[];
  /** Whether the joints come from another file and are added to this one. */
  areNew: boolean;
  ids: Set<string>;
  /** The name by which a skin refers to a joint: its id or sid; added if missing. */
  nameOf(joint: number, isId: boolean): string;
}

/** State of writing weights into a COLLADA file. */
export interface DaeEditor {
  file: CharacterFile;
  /** A row per vertex of the character, already limited to the maximum influences. */
  weights: SkinWeights;
  dae: DaeOrigin;
  edits: XmlEdits;
  joints: DaeJoints;
  /** From the character's space to that of the file. */
  toFile: number[];
  /** Namespace prefix of the file's elements. */
  prefix: string;
}

/** Finds the joints of a character in its file, or adds those of another file's skeleton. */
export function daeJoints(editor: Omit<DaeEditor, "joints">): DaeJoints {
  const { dae, edits, toFile, prefix } = editor;
  const { rig, source } = editor.file;
  const ids = new Set(dae.document.byId.keys());
  const areNew = rig.nodes.some((node) => node < 0);
  const worlds = areNew
    ? rigidJoints(rig, toFile)
    : rig.bindMatrices.map((bind) => product(toFile, bind));
  const list = Array.from(rig.nodes, (node, joint) => ({
    node,
    element: areNew ? undefined : dae.elements[node],
    world: worlds[joint],
  }));
  if (areNew) {
    const names = rig.skeleton.names.map((name) => freshId(ids, plainName(name)));
    if (!dae.visual) throw new InputError(`${source.name}: it has no scene to put joints in.`);
    appendText(edits, dae.visual, jointTree(rig.skeleton, worlds, names, prefix));
    return { list, areNew, ids, nameOf: (joint) => names[joint] };
  }
  const sids = new Set(dae.elements.flatMap((element) => element?.attributes.sid ?? []));
  const given = new Map<string, string>();
  const nameOf = (joint: number, isId: boolean): string => {
    const { element } = list[joint];
    if (!element) throw new InputError(`${source.name}: a joint has no separate node.`);
    const { id, sid, name = "joint", type } = element.attributes;
    if (type !== "JOINT") setAttribute(edits, element, "type", "JOINT");
    const key = isId ? "id" : "sid";
    const stated = isId ? id : sid;
    // Lists of names are separated by blanks.
    if (stated && (isId || !/\s/.test(stated))) return stated;
    const slot = `${key} ${element.start}`;
    const made = given.get(slot) ?? freshId(isId ? ids : sids, plainName(sid ?? id ?? name));
    given.set(slot, made);
    setAttribute(edits, element, key, made);
    return made;
  };
  return { list, areNew, ids, nameOf };
}

function jointTree(skeleton: Skeleton, worlds: number[][], ids: string[], prefix: string): string {
  const { parents, names } = skeleton;
  const locals = localJoints(parents, worlds);
  const children = childrenOf(skeleton);
  const show = (joint: number): string =>
    `<${prefix}node id="${escapeXml(ids[joint])}" name="${escapeXml(names[joint])}" sid="${escapeXml(ids[joint])}" type="JOINT">` +
    `<${prefix}matrix sid="transform">${fromRows(locals[joint]).map(floatText).join(" ")}</${prefix}matrix>` +
    `${children[joint].map(show).join("")}</${prefix}node>\n`;
  return names.map((_, joint) => (parents[joint] < 0 ? show(joint) : "")).join("");
}

/** The `skeleton` elements an instance needs for these joints in addition to its own. */
export function skeletonsFor(
  { joints, dae, prefix, file }: DaeEditor,
  wanted: number[],
  instance: XmlElement | undefined,
): string {
  const { parents } = file.rig.skeleton;
  const isWanted = new Set(wanted);
  const roots = wanted.filter((joint) => {
    for (let at = parents[joint]; at >= 0; at = parents[at]) if (isWanted.has(at)) return false;
    return true;
  });
  const listed = childrenNamed(instance, "skeleton").map((s) => refer(dae.document, s.text.trim()));
  return roots
    .filter((joint) => {
      const { element } = joints.list[joint];
      const isBelow = (root: XmlElement | undefined) =>
        root && element && element.start >= root.start && element.end <= root.end;
      return !listed.some(isBelow);
    })
    .map((joint) => {
      const id = escapeXml(joints.nameOf(joint, true));
      return `<${prefix}skeleton>#${id}</${prefix}skeleton>`;
    })
    .join("");
}

/** Returns an unused id and marks it as used. */
export function freshId(taken: Set<string>, wanted: string): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}

function plainName(name: string): string {
  return name.replace(/[^\w.-]+/g, "_") || "joint";
}
