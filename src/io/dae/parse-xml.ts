import { InputError } from "../../input-error.ts";

/** One element of an XML file. */
export interface XmlElement {
  /** Name without its namespace. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text directly inside, pieces joined. */
  text: string;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

// Comment, CDATA, processing instruction or doctype, tag, text: whatever comes next.
const PIECE =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

// Skeletons nest a hundred joints; this many levels would only serve to exhaust the stack.
const DEEPEST = 1000;

/** Reads the XML of model files: elements, attributes, text; no validation, no external entities. */
export function parseXml(name: string, source: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open: XmlElement[] = [root];
  for (const [, cdata, slash, tag, attributes, closed, text] of source.matchAll(PIECE)) {
    const parent = open[open.length - 1];
    if (cdata !== undefined) parent.text += cdata;
    else if (text !== undefined) parent.text += decode(text);
    else if (tag === undefined) continue;
    else if (slash) {
      if (open.length < 2 || parent.name !== plain(tag)) throw damaged(name);
      open.pop();
    } else {
      const element: XmlElement = { name: plain(tag), attributes: {}, children: [], text: "" };
      for (const [, key, double, single] of attributes.matchAll(ATTRIBUTE)) {
        element.attributes[key] = decode(double ?? single);
      }
      parent.children.push(element);
      if (!closed && open.push(element) > DEEPEST) throw damaged(name);
    }
  }
  if (open.length !== 1) throw damaged(name);
  return root;
}

/** First child of this name. */
export function xmlChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** All children of this name. */
export function xmlChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** All elements of this name below one, in document order. */
export function xmlDescendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...xmlDescendants(child, name),
  ]);
}

/** The numbers in an element's text. */
export function xmlNumbers(element: XmlElement | undefined): number[] {
  return xmlWords(element).map(Number);
}

/** The words in an element's text. */
export function xmlWords(element: XmlElement | undefined): string[] {
  return element?.text.trim() ? element.text.trim().split(/\s+/) : [];
}

function plain(tag: string): string {
  return tag.replace(/^.*:/, "");
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, code: string) => {
    if (code.startsWith("#x")) return String.fromCodePoint(Number.parseInt(code.slice(2), 16));
    if (code.startsWith("#")) return String.fromCodePoint(Number(code.slice(1)));
    return ENTITIES[code] ?? whole;
  });
}

function damaged(name: string): InputError {
  return new InputError(`${name}: its XML ends early or is damaged; copy or export it again.`);
}
