import type { Random } from "../../src/math/random.ts";
import { below, manyOf, pick } from "./fuzz-values.ts";

type Change = (text: string, random: Random) => string;

const COUNTS = ["-1", "0", "1", "3", "65536", "1000000", "1e9", "99999999999", "NaN", "", "0.5"];

/** Replaces one match of a pattern with one group, the value, by another value. */
function replaceOne(text: string, pattern: RegExp, random: Random, put: (old: string) => string) {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: all, 1: old } = pick(random, found);
  return text.slice(0, index) + all.replace(old, () => put(old)) + text.slice(index + all.length);
}

const words = (count: number, make: (i: number) => number | string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(" ");

const daeCount: Change = (text, random) =>
  replaceOne(text, /\s(?:count|stride|offset|set|meter)="([^"]+)"/g, random, () =>
    pick(random, COUNTS),
  );

/** Points a reference at another id, or assigns an element the id of another. */
const daeReference: Change = (text, random) => {
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
  if (ids.length === 0) return text;
  if (random() < 0.3) return replaceOne(text, /\sid="([^"]+)"/g, random, () => pick(random, ids));
  const isTarget = /\s(?:source|url|target)="#?([^"]+)"/g;
  return replaceOne(text, isTarget, random, () => pick(random, ids));
};

/** Lists of points, counts and pairs, with other contents. */
const daeList: Change = (text, random) => {
  const count = random() < 0.3 ? 10_000 : manyOf(random, 50_000);
  const value = pick(random, [0, 1, 2, 3, 1e9, -1]);
  return replaceOne(text, /<(?:vcount|v|p|\w+_array[^>]*)>([^<]+)</g, random, (old) => {
    const numbers = old.trim().split(/\s+/);
    const choice = below(random, 5);
    if (choice === 0) return words(count, () => value);
    if (choice === 1) return words(count, (i) => numbers[i % numbers.length]);
    if (choice === 2) return words(count, (i) => i);
    if (choice === 3) return words(numbers.length, () => pick(random, COUNTS));
    return words(numbers.length, (i) => (i === 0 ? count : numbers[i]));
  });
};

/** A polygon of 10,000 corners. */
const daePolygon: Change = (text, random) => {
  const inputs = (/<triangles[^>]*>((?:\s*<input[^>]*>)+)/.exec(text)?.[1] ?? "").trim();
  const stride = inputs.split("<input").length - 1;
  const list = words(10_000 * stride, () => below(random, 4));
  const made = `<polylist count="1">${inputs}<vcount>10000</vcount><p>${list}</p></polylist>`;
  return text.replace("</mesh>", () => `${made}</mesh>`);
};

/** Repeats an element with its content at its position. */
const daeRepeat: Change = (text, random) => {
  const starts = [...text.matchAll(/<([A-Za-z_]\w*)[^>]*[^/]>/g)];
  if (starts.length === 0) return text;
  const { index, 1: name } = pick(random, starts);
  const end = text.indexOf(`</${name}>`, index);
  if (end < 0) return text;
  const element = text.slice(index, end + name.length + 3);
  const copies = Math.min(manyOf(random), Math.ceil(LONGEST / element.length));
  return text.slice(0, index) + element.repeat(copies) + text.slice(index);
};

/** A node that shows itself, an ancestor, or another one many times. */
const daeCycle: Change = (text, random) => {
  const ids = [...text.matchAll(/<node[^>]*\sid="([^"]+)"/g)].map((match) => match[1]);
  if (ids.length === 0) return text;
  const made = `<instance_node url="#${pick(random, ids)}"/>`.repeat(manyOf(random, 2000));
  return replaceOne(text, /<node[^>]*[^/](>)/g, random, () => `>${made}`);
};

const daeNest: Change = (text, random) => {
  const depth = manyOf(random, 2000);
  const made = `${'<node type="JOINT">'.repeat(depth)}${"</node>".repeat(depth)}`;
  return text.replace("</visual_scene>", () => `${made}</visual_scene>`);
};

const objFace: Change = (text, random) => {
  const count = random() < 0.5 ? 10_000 : manyOf(random);
  const kind = below(random, 4);
  const corner = (i: number) => (kind === 0 ? 1 + below(random, 8) : kind === 1 ? i + 1 : -1);
  const points =
    kind === 1 ? Array.from({ length: count }, (_, i) => `v ${Math.cos(i)} ${Math.sin(i)} 0`) : [];
  return `${[...points, text].join("\n")}\nf ${words(count, corner)}\n`;
};

const objIndex: Change = (text, random) =>
  replaceOne(text, /^[fl] .*?(-?\d+)/gm, random, () => pick(random, [...COUNTS, "-9", "1/1e9"]));

/** Maximum length of a text after a repetition; reading time is not measured. */
const LONGEST = 2e6;

/** Repeats a line, sometimes with a changing number. */
const repeatLine: Change = (text, random) => {
  const lines = text.split("\n");
  const at = below(random, lines.length);
  const most = Math.ceil(LONGEST / (lines[at].length + 1));
  const made = Array.from({ length: Math.min(manyOf(random), most) }, (_, i) =>
    random() < 0.5 ? lines[at] : lines[at].replace(/[A-Za-z]+$/, (word) => `${word}${i}`),
  );
  lines.splice(at, 0, ...made);
  return lines.join("\n");
};

const objGroups: Change = (text, random) => {
  const keyword = pick(random, ["g", "o", "usemtl", "mtllib", "s"]);
  const name = (i: number) => (random() < 0.5 ? `n${i}` : "same");
  const lines = Array.from({ length: manyOf(random) }, (_, i) => `${keyword} ${name(i)}\nf 1 2 3`);
  return `${text}\n${lines.join("\n")}\n`;
};

const rigCycle: Change = (text, random) => {
  const names = [...text.matchAll(/^joints (\S+)/gm)].map((match) => match[1]);
  const name = () => pick(random, [...names, "gone"]);
  return `${text}hier ${name()} ${name()}\n`.repeat(random() < 0.2 ? 50 : 1);
};

const rigSkin: Change = (text, random) => {
  const pairs = words(manyOf(random), () => `${pick(random, ["root", "mid", "gone"])} 0.5`);
  return `${text}skin ${pick(random, [...COUNTS, "7"])} ${pairs}\n`;
};

/** A chain of joints, each below the previous one, or a fan. */
const rigJoints: Change = (text, random) => {
  const [count, isLine] = [manyOf(random), random() < 0.5];
  const joints = Array.from({ length: count }, (_, i) => `joints j${i} 0 ${i / count} 0`);
  const links = Array.from({ length: count }, (_, i) =>
    i === 0 || !isLine ? `hier root j${i}` : `hier j${i - 1} j${i}`,
  );
  return `${text}${[...joints, ...links].join("\n")}\n`;
};

const CHANGES: Record<string, readonly Change[]> = {
  dae: [
    daeCount,
    daeReference,
    daeReference,
    daeList,
    daeList,
    daePolygon,
    daeRepeat,
    daeCycle,
    daeNest,
  ],
  obj: [objFace, objIndex, repeatLine, objGroups],
  txt: [rigCycle, rigSkin, rigJoints, repeatLine],
};

/** Changes the structure of a text file in one to three ways, by its extension: dae, obj or txt. */
export function changeText(text: string, ending: string, random: Random): string {
  let out = text;
  for (let n = 1 + below(random, 3); n > 0 && out.length < 2e6; n--) {
    out = pick(random, CHANGES[ending])(out, random);
  }
  return out;
}
