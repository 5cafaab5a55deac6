import { MAX_JOINTS } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import { type Budget, createBudget, spend, TEXT_GROWTH } from "../budget.ts";
import { formatMayaWeights, parseMayaWeights } from "./maya-weights.ts";
import { formatNgSkin, parseNgSkin } from "./ng-skin.ts";
import {
  formatCsvWeights,
  formatPlainWeights,
  parseCsvWeights,
  parsePlainWeights,
} from "./plain-weights.ts";
import type { WeightFile } from "./weight-file.ts";

/** Formats of weights alone, by the ending of their files, and what writes them. */
const WRITERS: Record<WeightFormat, (file: WeightFile) => string> = {
  xml: formatMayaWeights,
  "ng.json": formatNgSkin,
  json: formatPlainWeights,
  csv: formatCsvWeights,
};

/** The name of a format of weights alone. */
export type WeightFormat = "xml" | "ng.json" | "json" | "csv";

/** Returns the format of a file of weights alone; undefined for any other name. */
export function weightFormat(name: string): WeightFormat | undefined {
  const formats = Object.keys(WRITERS) as WeightFormat[];
  return formats.find((format) => name.toLowerCase().endsWith(`.${format}`));
}

/** Whether a format holds weights alone. */
export function isWeightFormat(format: string): format is WeightFormat {
  return Object.hasOwn(WRITERS, format);
}

/**
 * Writes weights alone as text; a format that holds one mesh becomes a file per mesh.
 *
 * @returns by the name of the mesh if there are several, else by ""
 */
export function formatWeights(file: WeightFile, format: WeightFormat): Map<string, string> {
  if (format !== "ng.json" || file.meshes.length === 1)
    return new Map([["", WRITERS[format](file)]]);
  return new Map(
    file.meshes.map((mesh) => [mesh.name, WRITERS[format]({ ...file, meshes: [mesh] })]),
  );
}

/** Options for {@link parseWeights}. */
export interface ParseWeightsOptions {
  /** Maximum size of the file in memory, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** Reads a file of weights alone: Maya's deformerWeights XML, ngSkinTools or plain JSON, CSV. */
export function parseWeights(
  name: string,
  bytes: Uint8Array,
  { maxMemory }: ParseWeightsOptions = {},
): WeightFile {
  const budget = createBudget(name, maxMemory);
  spend(budget, TEXT_GROWTH * bytes.length);
  const file = parseFile(budget, bytes);
  if (file.meshes.length === 0) throw new InputError(`${name}: there are no weights in this file.`);
  if (file.joints.length > MAX_JOINTS) {
    throw new InputError(
      `${name}: more than ${MAX_JOINTS} joints (${file.joints.length}); remove joints.`,
    );
  }
  return file;
}

function parseFile(budget: Budget, bytes: Uint8Array): WeightFile {
  const format = weightFormat(budget.name);
  if (format === "xml") return parseMayaWeights(budget, bytes);
  const text = new TextDecoder().decode(bytes);
  return format === "csv" ? parseCsvWeights(budget, text) : parseJson(budget, text);
}

function parseJson(budget: Budget, text: string): WeightFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InputError(`${budget.name}: the JSON is damaged; export the weights again.`);
  }
  const isLayered = typeof json === "object" && json !== null && "layers" in json;
  return isLayered ? parseNgSkin(budget, json as object) : parsePlainWeights(budget, json);
}
