import { InputError } from "../../input-error.ts";
import { joinArrays } from "../../math/arrays.ts";
import { type Budget, spend } from "../budget.ts";
import { damaged } from "../losses.ts";

/** One element of an XML file. */
export interface XmlElement {
  /** Name without its namespace. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text directly inside, pieces joined. */
  text: string;
  /** Bytes of the file: where it begins, where its first tag ends, where its last begins, where it ends. */
  start: number;
  inside: number;
  insideEnd: number;
  end: number;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const LAST_CODE_POINT = 0x10ffff;

// Skeletons nest a hundred joints; this many levels would only serve to exhaust the stack.
const DEEPEST = 1000;

/** What an element takes in memory, about. */
const ELEMENT_BYTES = 256;

/**
 * Reads the XML of model files: elements, attributes, text; no validation, no external entities.
 *
 * A scanner that only moves forward: its time grows with the length of the text, whatever is in it.
 */
export function parseXml(name: string, bytes: Uint8Array, budget?: Budget): XmlElement {
  // A character per byte, so that places in the text are places in the file; names and values are decoded.
  const source = charactersOf(bytes);
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
  for (let at = 0; at < source.length; ) {
    const next = source.indexOf("<", at);
    const end = next < 0 ? source.length : next;
    if (end > at) addText(decode(source.slice(at, end)));
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
        if (!tag.endsWith("/") && open.push(element) > DEEPEST) {
          throw damaged(name, `its XML is nested more than ${DEEPEST} deep`);
        }
      }
    }
  }
  if (open.length !== 1) throw cutXml(name);
  return root;
}

/** Just past the `>` that ends a tag; those inside quotes are part of a value. */
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

/** An element without content yet, by its first tag. */
function elementOf(name: string, tag: string, start: number, end: number): XmlElement {
  const body = tag.endsWith("/") ? tag.slice(0, -1) : tag;
  const [label] = /^[^\s]*/.exec(body) ?? [""];
  if (label === "") throw cutXml(name);
  const attributes = attributesOf(body.slice(label.length));
  return {
    name: plain(label),
    attributes,
    children: [],
    text: "",
    start,
    inside: end,
    insideEnd: end,
    end,
  };
}

/** The values of a tag, found from one equals sign to the next. */
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
    // Such a name would reach into the object itself.
    if (key !== "" && key !== "__proto__") attributes[key] = decode(text.slice(start + 1, end));
    at = end + 1;
  }
}

/** All elements of this name below one, in document order. */
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

/** The numbers in an element's text. */
export function xmlNumbers(element: XmlElement | undefined): number[] {
  return xmlWords(element).map(Number);
}

/** The words in an element's text. */
export function xmlWords(element: XmlElement | undefined): string[] {
  return element?.text.trim() ? element.text.trim().split(/\s+/) : [];
}

/** A string with a character for each byte, 0 to 255. */
function charactersOf(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return pieces.join("");
}

/** The text that such a string spells in UTF-8. */
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
  return text.replace(/&(#x[\da-f]{1,8}|#\d{1,10}|\w{1,8});/gi, (whole, code: string) => {
    const isHex = /^#x/i.test(code);
    if (!code.startsWith("#")) return Object.hasOwn(ENTITIES, code) ? ENTITIES[code] : whole;
    const point = isHex ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1));
    return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : "\ufffd";
  });
}

function cutXml(name: string): InputError {
  return new InputError(`${name}: its XML ends early or is damaged; copy or export it again.`);
}

/** Changes to an XML file; everything else of it stays, byte for byte. */
export interface XmlEdits {
  bytes: Uint8Array;
  /** Bytes from `start` to `end` become this text. */
  replaced: { start: number; end: number; text: string }[];
  /** Text to be added at the end of an element. */
  appended: Map<XmlElement, string>;
  /** Attributes to be set in an element's first tag. */
  attributes: Map<XmlElement, Record<string, string>>;
}

/** Begins changes to a file. */
export function beginEdits(bytes: Uint8Array): XmlEdits {
  return { bytes, replaced: [], appended: new Map(), attributes: new Map() };
}

/** The bytes of an element's first tag, and of what it holds, as text. */
export function rawText({ bytes }: XmlEdits, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

/** Adds text before the end of an element. */
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

/** The file with all changes. */
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

/** A first tag with attributes set anew, or added after its name. */
function withAttributes(tag: string, entries: [string, string][]): string {
  return entries.reduce((text, [name, value]) => {
    const stated = new RegExp(`(\\s${name}\\s*=\\s*)("[^"]*"|'[^']*')`);
    const quoted = `"${escapeXml(value)}"`;
    if (stated.test(text)) return text.replace(stated, (_, key: string) => key + quoted);
    return text.replace(/^<[^\s/>]+/, (label) => `${label} ${name}=${quoted}`);
  }, tag);
}

/** Text as XML has it. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
