import { floatText } from "../scene/values.ts";

/** A prim of a USD layer as text. */
export interface UsdPrim {
  /** Type and name: `Mesh "Body"`. */
  head: string;
  /** Names of the API schemas that are applied to it. */
  schemas: string[];
  /** Attributes and relationships. */
  lines: string[];
  children: UsdPrim[];
}

/** Creates a prim. */
export function prim(
  type: string,
  name: string,
  lines: string[] = [],
  children: UsdPrim[] = [],
  schemas: string[] = [],
): UsdPrim {
  return { head: `${type} "${name}"`, schemas, lines, children };
}

/** Returns a layer with one root prim as text, in the layout of USD's own writer, which simple readers expect. */
export function usdLayer(metadata: string[], root: UsdPrim): string {
  const out = ["#usda 1.0", "(", ...metadata.map((line) => `    ${line}`), ")", ""];
  const write = ({ head, schemas, lines, children }: UsdPrim, indent: string): void => {
    const applied = schemas.map((schema) => `"${schema}"`).join(", ");
    if (schemas.length === 0) out.push(`${indent}def ${head}`);
    else
      out.push(
        `${indent}def ${head} (`,
        `${indent}    prepend apiSchemas = [${applied}]`,
        `${indent})`,
      );
    out.push(`${indent}{`);
    for (const line of lines) out.push(`${indent}    ${line.replaceAll("\n", `\n${indent}    `)}`);
    for (const child of children) write(child, `${indent}    `);
    out.push(`${indent}}`);
  };
  write(root, "");
  return `${out.join("\n")}\n`;
}

/** Returns an attribute with metadata, an entry each. */
export function described(attribute: string, ...metadata: string[]): string {
  return `${attribute} (\n${metadata.map((entry) => `    ${entry}\n`).join("")})`;
}

/** Returns an attribute with a value for each time code. */
export function sampled(attribute: string, codes: number[], values: string[]): string {
  const samples = values.map((value, t) => `    ${usdNumber(codes[t])}: ${value},\n`);
  return `${attribute}.timeSamples = {\n${samples.join("")}}`;
}

/** Returns a function that turns names into identifiers, none of which it returns twice. */
export function identifiers(): (name: string) => string {
  const used = new Set<string>();
  return (name) => {
    // JSON may hold a number where a name belongs.
    const plain = String(name)
      .replace(/[^A-Za-z0-9_]/g, "_")
      .replace(/^(?=\d|$)/, "_");
    let unique = plain;
    for (let n = 2; used.has(unique.toLowerCase()); n++) unique = `${plain}_${n}`;
    used.add(unique.toLowerCase());
    return unique;
  };
}

/** Formats a number with the digits that restore a float32; what is no number is 0. */
export function usdNumber(value: number): string {
  return Number.isFinite(value) ? floatText(value) : "0";
}

/** Formats numbers as a list, in tuples of `size`. */
export function usdList(values: ArrayLike<number>, size = 1): string {
  const parts: string[] = [];
  for (let at = 0; at < values.length; at += size) {
    let tuple = usdNumber(values[at]);
    for (let i = 1; i < size; i++) tuple += `, ${usdNumber(values[at + i])}`;
    parts.push(size > 1 ? `(${tuple})` : tuple);
  }
  return `[${parts.join(", ")}]`;
}

/** Formats column-major matrices, which are rows of row vectors in USD. */
export function usdMatrix(m: ArrayLike<number>): string {
  const rows = [0, 4, 8, 12].map(
    (row) => `(${[0, 1, 2, 3].map((column) => usdNumber(m[row + column])).join(", ")})`,
  );
  return `(${rows.join(", ")})`;
}

/** Formats text in quotes. */
export function usdText(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r");
  return `"${escaped}"`;
}

/** Formats a list of tokens. */
export function usdTokens(texts: string[]): string {
  return `[${texts.map(usdText).join(", ")}]`;
}
