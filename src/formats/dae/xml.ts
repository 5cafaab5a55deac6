import { runSteps, STRIDE, type Steps } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { joinArrays } from "../../math/arrays.ts";
import { type Budget, spend } from "../budget.ts";
import { damaged } from "../losses.ts";

/** One element of an XML file. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text directly inside, concatenated. */
  text: string;
  /** Byte offsets: start and end of the first tag, start and end of the last tag. */
  start: number;
  inside: number;
  insideEnd: number;
  end: number;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const LAST_CODE_POINT = 0x10ffff;

/** Characters above which the numbers of an element are parsed in steps. */
export const LONG_TEXT: number = 2 ** 16;

/** Maximum depth; deeper nesting would only serve to exhaust the stack. */
const MAX_DEPTH = 1000;

/** Approximate size of an element in memory. */
const ELEMENT_BYTES = 256;

/**
 * Parses the XML of model files: elements, attributes, text; no validation, no external entities.
 *
 * The scanner only moves forward, so its time is linear in the length of any text.
 */
export function parseXml(name: string, bytes: Uint8Array, budget?: Budget): XmlElement {
  return runSteps(xmlSteps(name, bytes, budget));
}

/** {@link parseXml} in steps. */
export function* xmlSteps(name: string, bytes: Uint8Array, budget?: Budget): Steps<XmlElement> {
  // One character per byte, so that text offsets are file offsets; names and values are decoded.
  const source = yield* characterSteps(bytes);
  const root: XmlElement = {
    name: "",
    attributes: {},
    children: [],
    text: "",
    start: 0,
    inside: 0,
    insideEnd: source.length,
    end: source.length,
  };
  const open: XmlElement[] = [root];
  const addText = (text: string) => {
    open[open.length - 1].text += text;
  };
  const past = (mark: string, from: number) => {
    const at = source.indexOf(mark, from);
    if (at < 0) throw cutXml(name);
    return at + mark.length;
  };
  let count = 0;
  for (let at = 0; at < source.length; ) {
    if (++count % STRIDE === 0) yield;
    const next = source.indexOf("<", at);
    const end = next < 0 ? source.length : next;
    if (end > at) addText(decode(source.slice(at, end)));
    if (end > at + LONG_TEXT) yield;
    if (next < 0) break;
    if (source.startsWith("<!--", next)) at = past("-->", next + 4);
    else if (source.startsWith("<![CDATA[", next)) {
      at = past("]]>", next + 9);
      addText(fromUtf8(source.slice(next + 9, at - 3)));
    } else if (source[next + 1] === "?" || source[next + 1] === "!") at = past(">", next + 2);
    else {
      at = tagEnd(name, source, next + 1);
      const tag = source.slice(next + 1, at - 1);
      if (tag.startsWith("/")) {
        const element = open.pop();
        if (open.length === 0 || element?.name !== plain(tag.slice(1).trim())) throw cutXml(name);
        Object.assign(element, { insideEnd: next, end: at });
      } else {
        spend(budget, ELEMENT_BYTES);
        const element = elementOf(name, tag, next, at);
        open[open.length - 1].children.push(element);
        if (!tag.endsWith("/") && open.push(element) > MAX_DEPTH) {
          throw damaged(name, `its XML is nested more than ${MAX_DEPTH} deep`);
        }
      }
    }
  }
  if (open.length !== 1) throw cutXml(name);
  return root;
}

/** Offset after the `>` that ends a tag, ignoring any inside quotes. */
function tagEnd(name: string, source: string, start: number): number {
  for (let at = start, quote = ""; at < source.length; at++) {
    const char = source[at];
    if (quote) quote = char === quote ? "" : quote;
    else if (char === ">") return at + 1;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "<") break;
  }
  throw cutXml(name);
}

function elementOf(name: string, tag: string, start: number, end: number): XmlElement {
  const body = tag.endsWith("/") ? tag.slice(0, -1) : tag;
  const [label] = /^[^\s]*/.exec(body) ?? [""];
  if (label === "") throw cutXml(name);
  return {
    name: plain(label),
    attributes: attributesOf(body.slice(label.length)),
    children: [],
    text: "",
    start,
    inside: end,
    insideEnd: end,
    end,
  };
}

/** Parses the attributes of a tag, from one equals sign to the next. */
function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (let at = 0; ; ) {
    const equals = text.indexOf("=", at);
    if (equals < 0) return attributes;
    const key = text.slice(at, equals).trim();
    let start = equals + 1;
    while (start < text.length && text[start].trim() === "") start++;
    const quote = text[start];
    const end = quote === '"' || quote === "'" ? text.indexOf(quote, start + 1) : -1;
    if (end < 0) return attributes;
    // This key would set the object's prototype.
    if (key !== "" && key !== "__proto__") attributes[key] = decode(text.slice(start + 1, end));
    at = end + 1;
  }
}

/** Returns all descendants with this name, in document order. */
export function xmlDescendants(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = ({ children }: XmlElement) => {
    for (const child of children) {
      if (child.name === name) found.push(child);
      visit(child);
    }
  };
  visit(element);
  return found;
}

/** Parses the numbers in an element's text. */
export function xmlNumbers(element: XmlElement | undefined): number[] {
  return xmlWords(element).map(Number);
}

/** Splits an element's text into words. */
export function xmlWords(element: XmlElement | undefined): string[] {
  return element?.text.trim() ? element.text.trim().split(/\s+/) : [];
}

/** Parses the numbers in an element's text, in steps. */
export function* xmlNumberSteps({ text }: XmlElement): Steps<number[]> {
  const numbers: number[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + LONG_TEXT, text.length);
    while (end < text.length && text[end].trim() !== "") end++;
    for (const word of text.slice(at, end).split(/\s+/))
      if (word !== "") numbers.push(Number(word));
    at = end;
    yield;
  }
  return numbers;
}

/** Returns a string with one character per byte. */
function* characterSteps(bytes: Uint8Array): Steps<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
    if (at % 2 ** 17 === 0) yield;
  }
  return pieces.join("");
}

function fromUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
}

function plain(tag: string): string {
  return tag.replace(/^.*:/, "");
}

function decode(written: string): string {
  const text = fromUtf8(written);
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[\da-f]{1,8}|#\d{1,10}|\w{1,8});/gi, (entity, code: string) => {
    const isHex = /^#x/i.test(code);
    if (!code.startsWith("#")) return Object.hasOwn(ENTITIES, code) ? ENTITIES[code] : entity;
    const point = isHex ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1));
    return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : "\ufffd";
  });
}

function cutXml(name: string): InputError {
  return new InputError(`${name}: the XML is truncated or damaged; copy or export it again.`);
}

/** Changes to an XML file; all other bytes of it stay. */
export interface XmlEdits {
  bytes: Uint8Array;
  /** Replaces the bytes from `start` to `end` by text. */
  replaced: { start: number; end: number; text: string }[];
  /** Text to append to the contents of an element. */
  appended: Map<XmlElement, string>;
  /** Attributes to set in an element's first tag. */
  attributes: Map<XmlElement, Record<string, string>>;
}

/** Starts a list of changes to a file. */
export function beginEdits(bytes: Uint8Array): XmlEdits {
  return { bytes, replaced: [], appended: new Map(), attributes: new Map() };
}

/** Decodes a range of bytes of the file. */
export function rawText({ bytes }: XmlEdits, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

/** Appends text to the contents of an element. */
export function appendText(edits: XmlEdits, element: XmlElement, text: string): void {
  edits.appended.set(element, (edits.appended.get(element) ?? "") + text);
}

/** Sets an attribute of an element. */
export function setAttribute(
  edits: XmlEdits,
  element: XmlElement,
  name: string,
  value: string,
): void {
  edits.attributes.set(element, { ...edits.attributes.get(element), [name]: value });
}

/** Returns the file with all changes applied. */
export function applyEdits(edits: XmlEdits): Uint8Array {
  const changes = [...edits.replaced];
  for (const element of new Set([...edits.attributes.keys(), ...edits.appended.keys()])) {
    changes.push(...elementChanges(edits, element));
  }
  changes.sort((a, b) => a.start - b.start || a.end - b.end);
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of changes) {
    pieces.push(edits.bytes.subarray(at, start), encoder.encode(text));
    at = end;
  }
  pieces.push(edits.bytes.subarray(at));
  return joinArrays(Uint8Array, pieces);
}

function elementChanges(edits: XmlEdits, element: XmlElement): XmlEdits["replaced"] {
  const { start, inside, insideEnd, end } = element;
  const added = edits.appended.get(element);
  const tag = withAttributes(
    rawText(edits, start, inside),
    Object.entries(edits.attributes.get(element) ?? {}),
  );
  const isClosed = inside === end;
  if (isClosed && added !== undefined) {
    const label = /^<([^\s/>]+)/.exec(tag)?.[1];
    return [{ start, end, text: `${tag.replace(/\s*\/>$/, ">")}${added}</${label}>` }];
  }
  return [
    ...(edits.attributes.has(element) ? [{ start, end: inside, text: tag }] : []),
    ...(added === undefined ? [] : [{ start: insideEnd, end: insideEnd, text: added }]),
  ];
}

/** Sets attributes of a first tag, or adds them after its name. */
function withAttributes(tag: string, entries: [string, string][]): string {
  return entries.reduce((text, [name, value]) => {
    const stated = new RegExp(`(\\s${name}\\s*=\\s*)("[^"]*"|'[^']*')`);
    const quoted = `"${escapeXml(value)}"`;
    if (stated.test(text)) return text.replace(stated, (_, key: string) => key + quoted);
    return text.replace(/^<[^\s/>]+/, (label) => `${label} ${name}=${quoted}`);
  }, tag);
}

/** Escapes text for XML. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
