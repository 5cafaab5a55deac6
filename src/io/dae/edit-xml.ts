import { joinArrays } from "../../math/join-arrays.ts";
import type { XmlElement } from "./parse-xml.ts";

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
