import { decodeUri } from "../file-name.ts";
import type { Losses } from "../losses.ts";
import { badExport } from "../refusals.ts";
import { childOf, childrenNamed } from "../tree.ts";
import { type XmlElement, xmlNumbers, xmlWords } from "./parse-xml.ts";

/** A COLLADA file: its root element and everything that can be referred to. */
export interface DaeDocument {
  file: string;
  root: XmlElement;
  byId: Map<string, XmlElement>;
  /** Numbers that were read already, since many elements may refer to them. */
  sources: Map<XmlElement, DaeSource>;
  /** What it has and the scene will not. */
  lost: Losses;
}

/** Rows of numbers that several elements may share. */
export interface DaeSource {
  values: ArrayLike<number>;
  stride: number;
}

/** Indexes a COLLADA file by id. */
export function daeDocument(file: string, root: XmlElement): DaeDocument {
  const byId = new Map<string, XmlElement>();
  const visit = (element: XmlElement) => {
    const { id } = element.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    element.children.forEach(visit);
  };
  visit(root);
  return { file, root, byId, sources: new Map(), lost: new Map() };
}

/** What a reference such as "#id" points at. */
export function refer(document: DaeDocument, url: string | undefined): XmlElement | undefined {
  return url === undefined ? undefined : document.byId.get(decodeUri(url.replace(/^#/, "")));
}

/** The numbers of a `source` element, refused where the file holds fewer than it needs. */
export function readSource(document: DaeDocument, url: string | undefined): DaeSource {
  const element = refer(document, url);
  const known = element && document.sources.get(element);
  if (known) return known;
  const values = xmlNumbers(childOf(element, "float_array"));
  const accessor = childOf(childOf(element, "technique_common"), "accessor");
  const stride = Math.max(1, Number(accessor?.attributes.stride ?? 1) || 1);
  if (values.some((value) => Number.isNaN(value))) {
    throw badExport(document.file, `source "${url}" holds a value that is not a number`);
  }
  if (element) document.sources.set(element, { values, stride });
  return { values, stride };
}

/** The names of a `source` element. */
export function readNames(
  document: DaeDocument,
  url: string | undefined,
): { names: string[]; areIds: boolean } {
  const element = refer(document, url);
  const ids = childOf(element, "IDREF_array");
  return { names: xmlWords(ids ?? childOf(element, "Name_array")), areIds: ids !== undefined };
}

/** The inputs of a primitive, sampler or skin, by semantic, first set first. */
export function inputsOf(
  element: XmlElement | undefined,
): Map<string, { source: string; offset: number }> {
  const inputs = new Map<string, { source: string; offset: number }>();
  const list = childrenNamed(element, "input");
  list.sort((a, b) => Number(a.attributes.set ?? 0) - Number(b.attributes.set ?? 0));
  for (const { attributes } of list) {
    if (inputs.has(attributes.semantic)) continue;
    inputs.set(attributes.semantic, {
      source: attributes.source,
      offset: Number(attributes.offset ?? 0),
    });
  }
  return inputs;
}
