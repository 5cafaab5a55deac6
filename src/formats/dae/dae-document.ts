import type { Steps } from "../../event-loop.ts";
import { composeMat4, identityMat4, multiplyMat4 } from "../../math/mat4.ts";
import { quaternionFromAxisAngle } from "../../math/quaternion.ts";
import { decodeUri } from "../endings.ts";
import { badExport, type Losses } from "../losses.ts";
import { childOf, childrenNamed } from "../scene/values.ts";
import {
  LONG_TEXT,
  type XmlElement,
  xmlDescendants,
  xmlNumberSteps,
  xmlNumbers,
  xmlWords,
} from "./xml.ts";

/** A COLLADA file: its root element and everything that can be referenced. */
export interface DaeDocument {
  file: string;
  root: XmlElement;
  byId: Map<string, XmlElement>;
  /** Nodes apart, because a damaged file may give their ids to other elements as well. */
  nodesById: Map<string, XmlElement>;
  /** Parsed sources, since several elements may share one. */
  sources: Map<XmlElement, DaeSource>;
  /** The numbers of long elements while the file is read. */
  numbers: Map<XmlElement, number[]>;
  losses: Losses;
}

/** Rows of numbers that several elements may share. */
export interface DaeSource {
  values: ArrayLike<number>;
  stride: number;
}

/** Indexes a COLLADA file by id. */
export function daeDocument(file: string, root: XmlElement): DaeDocument {
  const byId = new Map<string, XmlElement>();
  const nodesById = new Map<string, XmlElement>();
  const visit = (element: XmlElement) => {
    const { id } = element.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    if (id !== undefined && element.name === "node" && !nodesById.has(id))
      nodesById.set(id, element);
    element.children.forEach(visit);
  };
  visit(root);
  return { file, root, byId, nodesById, sources: new Map(), numbers: new Map(), losses: new Map() };
}

/** Resolves a reference such as "#id". */
export function refer(document: DaeDocument, url: string | undefined): XmlElement | undefined {
  return url === undefined ? undefined : document.byId.get(idOf(url));
}

/** Resolves a reference to a node. */
export function referToNode({ nodesById }: DaeDocument, url = ""): XmlElement | undefined {
  return nodesById.get(idOf(url));
}

function idOf(url: string): string {
  return decodeUri(url.replace(/^#/, ""));
}

/** Elements that hold numbers, which may be long. */
const LISTS = new Set(["float_array", "p", "v", "vcount"]);

/** Parses the numbers of all long elements in steps, so that {@link numbersIn} has them at once. */
export function* readLongNumbers({ root, numbers }: DaeDocument): Steps<void> {
  for (const name of LISTS) {
    for (const element of xmlDescendants(root, name)) {
      if (element.text.length <= LONG_TEXT) continue;
      numbers.set(element, yield* xmlNumberSteps(element));
    }
  }
}

/** Returns the numbers in an element's text. */
export function numbersIn({ numbers }: DaeDocument, element: XmlElement | undefined): number[] {
  return (element && numbers.get(element)) ?? xmlNumbers(element);
}

/** Reads the numbers of a `source` element; throws if one of them is not a number. */
export function readSource(document: DaeDocument, url: string | undefined): DaeSource {
  const element = refer(document, url);
  const known = element && document.sources.get(element);
  if (known) return known;
  const values = numbersIn(document, childOf(element, "float_array"));
  const accessor = childOf(childOf(element, "technique_common"), "accessor");
  const stride = Math.max(1, Number(accessor?.attributes.stride ?? 1) || 1);
  if (values.some((value) => Number.isNaN(value))) {
    throw badExport(document.file, `source "${url}" holds a value that is not a number`);
  }
  if (element) document.sources.set(element, { values, stride });
  return { values, stride };
}

/** Reads the names of a `source` element. */
export function readNames(
  document: DaeDocument,
  url: string | undefined,
): { names: string[]; areIds: boolean } {
  const element = refer(document, url);
  const ids = childOf(element, "IDREF_array");
  return { names: xmlWords(ids ?? childOf(element, "Name_array")), areIds: ids !== undefined };
}

/** Returns the inputs of a primitive, sampler or skin by semantic, lowest set first. */
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

/** One step of a node's transform; animations refer to it by sid. */
export interface DaeStep {
  kind: string;
  sid: string;
  numbers: number[];
}

const KINDS = new Set(["matrix", "translate", "rotate", "scale", "lookat"]);

/** Reads the transform of a COLLADA node as steps, first to last. */
export function stepsOf(node: XmlElement): DaeStep[] {
  return node.children
    .filter((child) => KINDS.has(child.name))
    .map((child) => ({
      kind: child.name,
      sid: child.attributes.sid ?? "",
      numbers: xmlNumbers(child),
    }));
}

/** Returns the product of a node's steps, column-major. */
export function daeMatrix(steps: DaeStep[]): number[] {
  return steps.reduce(
    (product, step) => multiplyMat4(product, product, stepMatrix(step)),
    identityMat4(),
  );
}

/** Converts a row-major matrix, as COLLADA stores it, to column-major. */
export function fromRows(rows: ArrayLike<number>): number[] {
  return Array.from({ length: 16 }, (_, i) => rows[(i % 4) * 4 + Math.floor(i / 4)]);
}

function stepMatrix({ kind, numbers: n }: DaeStep): number[] {
  const still = [0, 0, 0, 1];
  if (kind === "matrix" && n.length === 16) return fromRows(n);
  if (kind === "translate" && n.length === 3) return composeMat4(n, still);
  if (kind === "scale" && n.length === 3) return composeMat4([0, 0, 0], still, n);
  if (kind === "rotate" && n.length === 4 && Math.hypot(n[0], n[1], n[2]) > 0) {
    return composeMat4([0, 0, 0], quaternionFromAxisAngle(n, (n[3] * Math.PI) / 180));
  }
  return identityMat4();
}
