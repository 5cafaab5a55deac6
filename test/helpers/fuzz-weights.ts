import type { Random } from "../../src/math/random.ts";
import { below, manyOf, pick } from "./fuzz-values.ts";

/** Maximum length of a text after a change; reading time is not measured. */
const LONGEST = 2e6;

const NUMBERS = [-1, 0, 0.5, 1, 7, 65536, 6e7, 1e9, 1e15, 1e308, -1e308];
const VALUES: unknown[] = [...NUMBERS, null, "", "1", "x", true, [], {}, [null], { length: 1e9 }];

/** The weights of a small mesh as JSON, plain or of ngSkinTools. */
interface WeightJson {
  joints?: unknown;
  influences?: unknown[];
  layers?: Record<string, unknown>[];
  meshes?: Record<string, unknown>[];
}

/** Changes the content of a weight file: indices, counts, lists, repetitions. */
export function changeWeights(text: string, ending: string, random: Random): string {
  if (ending === "json") return changeJson(text, random);
  return ending === "csv" ? changeTable(text, random) : changeXml(text, random);
}

function changeTable(text: string, random: Random): string {
  const [head, ...rows] = text.trimEnd().split("\n");
  const row = pick(random, rows).split(",");
  const changed = (cell: number, value: unknown) =>
    row.map((each, i) => (i === cell ? value : each)).join();
  const most = Math.floor(LONGEST / 60);
  const many = manyOf(random, most);
  const choice = below(random, 6);
  if (choice === 0) rows.push(changed(below(random, row.length), pick(random, NUMBERS)));
  // One vertex with many joints, or many vertices, or meshes.
  if (choice === 1) rows.push(...Array.from({ length: many }, (_, i) => changed(5, `j${i}`)));
  if (choice === 2) rows.push(...Array.from({ length: many }, (_, i) => changed(1, i)));
  if (choice === 3) rows.push(...Array.from({ length: many }, (_, i) => changed(0, `m${i}`)));
  if (choice === 4) rows.push(`"${changed(0, '"'.repeat(many))}`);
  const columns = head.split(",");
  if (choice === 5) columns[below(random, columns.length)] = pick(random, [...columns, "", "w"]);
  return [columns.join(), ...rows].join("\n");
}

function changeXml(text: string, random: Random): string {
  const found = [
    ...text.matchAll(/\s(?:index|value|max|size|defaultValue|shape|source)="([^"]*)"/g),
  ];
  const { index, 0: all, 1: old } = pick(random, found);
  const put = (value: unknown) =>
    text.slice(0, index) + all.replace(`"${old}"`, `"${value}"`) + text.slice(index + all.length);
  const choice = below(random, 4);
  if (choice === 0) return put(pick(random, [...NUMBERS, "", "NaN", "Infinity", "1 2 3"]));
  if (choice === 1) return put(pick(random, found)[1]);
  const [start, end] = choice === 2 ? ["<weights", "</weights>"] : ["<point", "/>"];
  const at = text.indexOf(start, below(random, text.length / 2));
  const to = text.indexOf(end, at) + end.length;
  if (at < 0 || to <= at) return text;
  const element = text.slice(at, to);
  const copies = Math.min(manyOf(random), Math.ceil(LONGEST / element.length));
  const numbered = (i: number) =>
    element.replace(/source="[^"]*"|index="\d+"/, (found) =>
      found.startsWith("source") ? `source="j${i}"` : `index="${i}"`,
    );
  const made = Array.from({ length: copies }, (_, i) => (random() < 0.5 ? element : numbered(i)));
  return text.slice(0, at) + made.join("") + text.slice(at);
}

function changeJson(text: string, random: Random): string {
  const json = JSON.parse(text) as WeightJson;
  const many = manyOf(random, 50_000);
  const list = (make: (i: number) => unknown) => Array.from({ length: many }, (_, i) => make(i));
  const value = pick(random, VALUES);
  const holders = [json, ...(json.meshes ?? []), ...(json.layers ?? [])] as Record<
    string,
    unknown
  >[];
  const holder = pick(random, holders);
  const choice = below(random, 4);
  if (choice === 0) holder[pick(random, Object.keys(holder))] = value;
  if (choice === 1)
    json.meshes?.push(
      ...Array.from({ length: Math.min(many, 2000) }, () => pick(random, json.meshes!)),
    );
  const [mesh] = json.meshes ?? [];
  const [layer] = json.layers ?? [];
  const rows = (mesh?.weights ?? []) as unknown[];
  if (choice === 2) {
    // One vertex with many joints.
    rows[below(random, Math.max(rows.length, 1))] = list((i) => i % 3);
    if (layer) layer.influences = Object.fromEntries(list((i) => [i, [1]]) as [number, number[]][]);
    if (random() < 0.5) json.joints = list((i) => `j${i}`);
    if (json.influences) json.influences = list((i) => ({ index: i, path: `j${i}` }));
  }
  if (choice === 3) {
    rows.push(...list(() => [0, 1]));
    if (layer) {
      (layer.influences as Record<string, unknown>)[0] = list(() => pick(random, [1, value]));
      layer.mask = list(() => 0.5);
      json.layers!.push(...Array.from({ length: below(random, 50) }, () => layer));
    }
  }
  return JSON.stringify(json).slice(0, 2 * LONGEST);
}
