import { parseFbxText } from "../../src/formats/fbx/parse-fbx.ts";
import type { Random } from "../../src/math/random.ts";
import { fbxBinary } from "./fbx-sample.ts";
import { changeFbx, fbxText } from "./fuzz-fbx.ts";
import { changeGltf } from "./fuzz-gltf.ts";
import { changeText } from "./fuzz-text.ts";
import { below, pick } from "./fuzz-values.ts";
import { changeWeights } from "./fuzz-weights.ts";
import { packGlb } from "./glb-builder.ts";

type Mutation = (bytes: Uint8Array, random: Random, others: readonly Uint8Array[]) => Uint8Array;

/** Numbers that often break readers. */
const INTEGERS = [0, 1, 2, 127, 128, 255, 256, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const FLOATS = [NaN, Infinity, -Infinity, 0, -0, 1e38, -1e38, 1e-45, 1e15];
const TEXTS = [
  "0",
  "-1",
  "1",
  "3",
  "7",
  "65536",
  "4294967295",
  "1e9",
  "1e38",
  "1e308",
  "-1e308",
  "1e-320",
  "NaN",
  "Infinity",
  "null",
  "true",
  '"x"',
  "[]",
  "{}",
  "",
  "0.5",
  "99999999999999999999",
];

const flipBits: Mutation = (bytes, random) => {
  const out = bytes.slice();
  for (let n = 1 + below(random, 16); n > 0; n--) {
    out[below(random, out.length)] ^= 1 << below(random, 8);
  }
  return out;
};

const setBytes: Mutation = (bytes, random) => {
  const out = bytes.slice();
  const at = below(random, out.length);
  return out.fill(pick(random, [0, 255, 127, 128, 32, 34]), at, at + 1 + below(random, 32));
};

const setNumber: Mutation = (bytes, random) => {
  const out = bytes.slice();
  if (out.length < 8) return out;
  const view = new DataView(out.buffer);
  // Most numbers of binary files are at multiples of four.
  const at = random() < 0.7 ? 4 * below(random, out.length >> 2) : below(random, out.length - 3);
  const place = Math.min(at, out.length - 4);
  if (random() < 0.5) view.setUint32(place, pick(random, INTEGERS), true);
  else view.setFloat32(place, pick(random, FLOATS), true);
  return out;
};

const cut: Mutation = (bytes, random) => bytes.slice(0, below(random, bytes.length));

const remove: Mutation = (bytes, random) => {
  const at = below(random, bytes.length);
  return join(bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 64)));
};

/** Copies a piece of this or another file into this one, overwriting or inserting. */
const splice: Mutation = (bytes, random, others) => {
  const from = random() < 0.5 ? bytes : pick(random, others);
  const start = below(random, from.length);
  const piece = from.subarray(start, start + 1 + below(random, 200));
  const at = below(random, bytes.length);
  const end = random() < 0.5 ? at : at + piece.length;
  return join(bytes.subarray(0, at), piece, bytes.subarray(end));
};

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Replaces a number of the text by another one from it, or by one that often breaks readers. */
const swapNumbers: Mutation = (bytes, random) =>
  editText(bytes, (text) => {
    const found = [...text.matchAll(NUMBER)];
    if (found.length === 0) return text;
    let out = text;
    for (let n = 1 + below(random, 3); n > 0; n--) {
      const { index, 0: old } = pick(random, found);
      const put = random() < 0.5 ? pick(random, TEXTS) : pick(random, found)[0];
      if (out.substr(index, old.length) === old) {
        out = out.slice(0, index) + put + out.slice(index + old.length);
        break;
      }
    }
    return out;
  });

/** Replaces a word of the text by another one from it. */
const swapWords: Mutation = (bytes, random) =>
  editText(bytes, (text) => {
    const found = [...text.matchAll(/[A-Za-z_][\w-]*/g)];
    if (found.length < 2) return text;
    const { index, 0: old } = pick(random, found);
    return text.slice(0, index) + pick(random, found)[0] + text.slice(index + old.length);
  });

/** Puts another value, from the JSON or an extreme one, somewhere into the JSON, or removes one. */
const editJson: Mutation = (bytes, random) =>
  editText(bytes, (text) => {
    let json: Json;
    try {
      json = JSON.parse(text);
    } catch {
      return text;
    }
    const places = inverseIndex(json);
    if (places.length === 0) return text;
    const { holder, key } = pick(random, places);
    const other = pick(random, places);
    const choice = random();
    if (choice < 0.15) delete holder[key];
    else if (choice < 0.55) holder[key] = other.holder[other.key];
    else holder[key] = pick(random, WILD);
    try {
      return JSON.stringify(json);
    } catch {
      // A value inserted into itself.
      return text;
    }
  });

type Json = Record<string, unknown>;

const WILD: unknown[] = [
  null,
  -1,
  0,
  1,
  2,
  5,
  1.5,
  255,
  65536,
  1e9,
  1e15,
  1e38,
  5126,
  5123,
  true,
  "x",
  "VEC3",
  "",
  [],
  {},
  [null],
  [0],
  [1e9],
  [0, 0, 0],
  [0, 0, 0, 0],
  new Array(16).fill(0),
  [1e38, 0, 0],
];

function inverseIndex(value: unknown): { holder: Json; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Json;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...inverseIndex(holder[key])]);
}

/** Damages the binary part of a GLB, or all of any other file, without changing its length. */
const editBinary: Mutation = (bytes, random, others) => {
  const out = bytes.slice();
  const start = isGlb(out) ? binaryStart(out) : 0;
  if (start >= out.length) return out;
  const part = pick(random, [flipBits, setBytes, setNumber])(out.slice(start), random, others);
  out.set(part, start);
  return out;
};

/** Removes or duplicates a line, or the text between two commas. */
const editLines: Mutation = (bytes, random) =>
  editText(bytes, (text) => {
    const mark = text.includes("\n") ? "\n" : ",";
    const lines = text.split(mark);
    const at = below(random, lines.length);
    const copies =
      random() < 0.5 ? [] : Array.from({ length: 2 + below(random, 20) }, () => lines[at]);
    lines.splice(at, 1, ...copies);
    return lines.join(mark);
  });

/** Changes the text of a file, or the JSON of a GLB, whose chunk lengths stay correct. */
function editText(bytes: Uint8Array, edit: (text: string) => string): Uint8Array {
  const decode = (part: Uint8Array) => new TextDecoder("latin1").decode(part);
  if (!isGlb(bytes)) return new Uint8Array(Buffer.from(edit(decode(bytes)), "latin1"));
  const start = binaryStart(bytes);
  const json = decode(bytes.subarray(20, Math.max(20, start - 8))).trimEnd();
  return packGlb(edit(json), bytes.subarray(start));
}

function isGlb(bytes: Uint8Array): boolean {
  return bytes.length > 28 && Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "glTF";
}

/** Offset of the data in a GLB's second chunk. */
function binaryStart(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Math.min(28 + view.getUint32(12, true), bytes.length);
}

function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  setBytes,
  setNumber,
  setNumber,
  cut,
  remove,
  splice,
  swapNumbers,
  swapNumbers,
  swapNumbers,
  swapNumbers,
  swapWords,
  editLines,
  editJson,
  editJson,
  editJson,
  editBinary,
  editBinary,
];

/** Damages a file in one to four ways. */
export function mutate(
  bytes: Uint8Array,
  random: Random,
  others: readonly Uint8Array[],
): Uint8Array {
  let out = bytes;
  // Mostly one: a file with much damage is refused before much of it is read.
  for (let n = 1 + Math.floor(4 * random() ** 2); n > 0; n--) {
    if (out.length > 0) out = pick(random, MUTATIONS)(out, random, others);
  }
  return out;
}

/** Larger files would only measure how fast bytes are read. */
const LARGEST = 4 * 2 ** 20;

/**
 * Changes the meaning of a file rather than its bytes: references, counts, lists, repetitions. Returns undefined
 * for a file without a structure to change.
 *
 * @param source text from which a binary FBX is made
 */
export function restructure(
  name: string,
  bytes: Uint8Array,
  random: Random,
  source?: Uint8Array,
): Uint8Array | undefined {
  const changed = changeStructure(name, bytes, random, source);
  return changed && changed.length <= LARGEST ? changed : undefined;
}

function changeStructure(
  name: string,
  bytes: Uint8Array,
  random: Random,
  source?: Uint8Array,
): Uint8Array | undefined {
  const ending = name.slice(name.lastIndexOf(".") + 1);
  try {
    if (ending === "fbx") {
      const root = parseFbxText(name, Buffer.from(source ?? bytes).toString("latin1"));
      changeFbx(root, random);
      if (source) return fbxBinary(root, random() < 0.5 ? 7400 : 7500);
      return new Uint8Array(Buffer.from(fbxText(root), "latin1"));
    }
    return editText(bytes, (text) => {
      if (/^weights\./.test(name)) return changeWeights(text, ending, random);
      return text.startsWith("{")
        ? changeGltf(text, random, bytes.length)
        : changeText(text, ending, random);
    });
  } catch {
    // What cannot be parsed, or what the test's own writer cannot express.
    return undefined;
  }
}
