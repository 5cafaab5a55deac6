import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Character } from "../../character/character.ts";
import { prepareCharacter } from "../../character/prepare-character.ts";
import { InputError } from "../../input-error.ts";
import type { Weighted } from "../../learn/augment/weighted.ts";
import { decodeContainer, encodeContainer } from "../../learn/container.ts";
import { joinArrays } from "../../math/arrays.ts";
import { vertexCount } from "../../mesh/mesh.ts";
import { emptyWeights, type SkinWeights } from "../../weights/skin-weights.ts";
import { checkId } from "./character-table.ts";

/** A compact file of many characters, read on demand. */
export interface Pack {
  entries: { name: string; split: string; vertices: number; joints: number }[];
  /** Reads a character by its index in `entries`. */
  read(index: number): Weighted;
}

interface PackMeta {
  entries: (Pack["entries"][number] & { offset: number; length: number })[];
}

interface CharacterMeta {
  name: string;
  names: string[];
  influences: number;
  vertices: number;
}

/**
 * Packs characters into one file of about 12 bytes per vertex, readable without the file formats:
 * welded, longest side 1, 16-bit positions and weights.
 */
export class PackWriter {
  #entries: PackMeta["entries"] = [];
  #blobs: Uint8Array[] = [];
  #offset = 0;

  /** Adds a character; throws `InputError` if it cannot be prepared or has no weights. */
  add(character: Character, split: string): void {
    const prepared = prepareCharacter(character).character;
    const { weights } = prepared;
    if (!weights) throw new InputError(`Character "${character.name}" has no weights.`);
    const blob = brotliCompressSync(encodeCharacter({ ...prepared, weights }), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
    });
    this.#entries.push({
      name: prepared.name,
      split,
      vertices: vertexCount(prepared.mesh),
      joints: prepared.skeleton.names.length,
      offset: this.#offset,
      length: blob.length,
    });
    this.#blobs.push(blob);
    this.#offset += blob.length;
  }

  finish(): Uint8Array {
    const blobs = joinArrays(Uint8Array, this.#blobs);
    return encodeContainer("pack", { entries: this.#entries }, { blobs });
  }
}

export function openPack(bytes: Uint8Array, where?: string): Pack {
  const { meta, arrays } = decodeContainer<PackMeta>("pack", bytes, where);
  const { blobs } = arrays;
  const isComplete =
    blobs instanceof Uint8Array && Array.isArray(meta.entries) && meta.entries.every(isEntry);
  if (!isComplete) throw damaged(where);
  return {
    entries: meta.entries.map(({ offset, length, ...entry }) => entry),
    read(index) {
      const { offset, length, name } = meta.entries[index];
      return decodeCharacter(unpack(blobs.subarray(offset, offset + length), name), name);
    },
  };
}

/** Maximum decompressed bytes; usual characters have a few megabytes. */
const MAX_CHARACTER_BYTES = 512 * 2 ** 20;

function unpack(blob: Uint8Array, name: string): Uint8Array {
  try {
    return new Uint8Array(brotliDecompressSync(blob, { maxOutputLength: MAX_CHARACTER_BYTES }));
  } catch {
    throw damaged(`Character "${name}" of the pack`);
  }
}

function isEntry(entry: PackMeta["entries"][number]): boolean {
  const numbers = [entry?.offset, entry?.length, entry?.vertices, entry?.joints];
  checkId(entry?.name, "The pack");
  return numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
}

function damaged(where = "The pack"): InputError {
  return new InputError(`${where} is damaged; make it again.`);
}

/** Encodes a prepared character with 16-bit positions and weights. */
export function encodeCharacter({ name, mesh, skeleton, weights }: Weighted): Uint8Array {
  const vertices = vertexCount(mesh);
  // Coordinates are in [-0.5, 0.5] (x, z) or [0, 1] (y).
  const codes = Uint16Array.from(mesh.positions, (value, i) =>
    Math.round((value + (i % 3 === 1 ? 0 : 0.5)) * 65535),
  );
  const used = [...weights.weights.keys()].filter((i) => weights.weights[i] > 0);
  const counts = new Uint8Array(vertices);
  const { influences } = weights;
  for (const i of used) counts[Math.floor(i / influences)]++;
  const meta: CharacterMeta = { name, names: skeleton.names, influences, vertices };
  return encodeContainer("character", meta, {
    positions: splitDeltas(codes, 3, 2),
    triangles: splitDeltas(mesh.triangles, 1, vertices > 65536 ? 4 : 2),
    parents: Int16Array.from(skeleton.parents),
    joints: skeleton.positions,
    ...(skeleton.ends && { ends: skeleton.ends }),
    counts,
    weightJoints: Uint16Array.from(used, (i) => weights.joints[i]),
    weights: Uint16Array.from(used, (i) => Math.max(1, Math.round(weights.weights[i] * 65535))),
  });
}

/** Decodes {@link encodeCharacter}. */
export function decodeCharacter(bytes: Uint8Array, where = "The character"): Weighted {
  const { meta, arrays } = decodeContainer<CharacterMeta>("character", bytes, where);
  if (!isCharacter(meta, arrays)) throw damaged(where);
  const codes = joinDeltas(arrays.positions as Uint8Array, 3, 2);
  const positions = Float32Array.from(codes, (code, i) => code / 65535 - (i % 3 === 1 ? 0 : 0.5));
  return {
    name: meta.name,
    mesh: {
      positions,
      triangles: joinDeltas(arrays.triangles as Uint8Array, 1, meta.vertices > 65536 ? 4 : 2),
    },
    skeleton: {
      names: meta.names,
      parents: Int32Array.from(arrays.parents),
      positions: arrays.joints as Float32Array,
      ...(arrays.ends && { ends: arrays.ends as Float32Array }),
    },
    weights: decodeWeights(arrays as Record<string, Uint16Array>, meta),
  };
}

/** Returns whether the arrays have consistent lengths. */
function isCharacter(
  { names, influences, vertices }: CharacterMeta,
  arrays: Record<string, ArrayLike<number> | undefined>,
): boolean {
  const { positions, triangles, parents, joints, ends, counts, weightJoints, weights } = arrays;
  const lists = [positions, triangles, parents, joints, counts, weightJoints, weights];
  if (!lists.every((list) => list !== undefined) || !Array.isArray(names)) return false;
  const used = Array.from(counts ?? []).reduce((sum, count) => sum + count, 0);
  return (
    Number.isInteger(influences) &&
    influences >= 1 &&
    influences <= 256 &&
    positions?.length === vertices * 6 &&
    counts?.length === vertices &&
    joints?.length === names.length * 3 &&
    (ends === undefined || ends.length === joints.length) &&
    parents?.length === names.length &&
    Array.from(counts).every((count) => count <= influences) &&
    weights?.length === used &&
    weightJoints?.length === used
  );
}

function decodeWeights(
  arrays: Record<string, ArrayLike<number>>,
  { influences, vertices }: CharacterMeta,
): SkinWeights {
  const { counts, weightJoints, weights } = arrays;
  const out = emptyWeights(vertices, influences);
  let next = 0;
  for (let vertex = 0; vertex < vertices; vertex++) {
    let sum = 0;
    for (let slot = 0; slot < counts[vertex]; slot++) sum += weights[next + slot];
    for (let slot = 0; slot < counts[vertex]; slot++, next++) {
      out.joints[vertex * influences + slot] = weightJoints[next];
      out.weights[vertex * influences + slot] = weights[next] / sum;
    }
  }
  return out;
}

/**
 * Delta-encodes integers of at most `bytes` bytes against the value `stride` before, and groups the
 * bytes by significance, which compresses better.
 *
 * @param values integers of at most `bytes` bytes
 * @returns values.length × bytes
 */
function splitDeltas(values: ArrayLike<number>, stride: number, bytes: 2 | 4): Uint8Array {
  const count = values.length;
  const out = new Uint8Array(count * bytes);
  for (let i = 0; i < count; i++) {
    const delta = (values[i] - (i >= stride ? values[i - stride] : 0)) | 0;
    // Zigzag encoding: small differences of either sign become small numbers.
    const code = bytes === 2 ? zigzag((delta << 16) >> 16) & 0xffff : zigzag(delta);
    for (let b = 0; b < bytes; b++) out[b * count + i] = code >>> (8 * b);
  }
  return out;
}

/** Decodes {@link splitDeltas}. */
function joinDeltas(planes: Uint8Array, stride: number, bytes: 2 | 4): Uint32Array {
  const count = planes.length / bytes;
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let code = 0;
    for (let b = 0; b < bytes; b++) code |= planes[b * count + i] << (8 * b);
    const delta = (code >>> 1) ^ -(code & 1);
    const value = delta + (i >= stride ? out[i - stride] : 0);
    out[i] = bytes === 2 ? value & 0xffff : value;
  }
  return out;
}

function zigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}
