import { InputError } from "../input-error.ts";

export type ContainerArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array;

/** A JSON object and named typed arrays in one block of bytes. */
export interface Container<Meta = unknown> {
  meta: Meta;
  arrays: Record<string, ContainerArray>;
}

type Entry = [name: string, type: string, length: number, offset: number];

const MAGIC = 0x4b534831; // "1HSK" read as little endian
const HEAD_BYTES = 16;
const TYPES = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const;

/**
 * Encodes a container: 16 bytes (magic, total bytes, header bytes, 0), a JSON header, then the
 * arrays, each aligned to 8 bytes; little endian.
 *
 * @param kind type of the content, checked by the decoder
 */
export function encodeContainer(
  kind: string,
  meta: unknown,
  arrays: Record<string, ContainerArray>,
): Uint8Array {
  let offset = 0;
  const entries = Object.entries(arrays).map(([name, array]): Entry => {
    const entry: Entry = [name, typeOf(array), array.length, offset];
    offset = align(offset + array.byteLength);
    return entry;
  });
  const header = new TextEncoder().encode(JSON.stringify({ kind, meta, arrays: entries }));
  const start = align(HEAD_BYTES + header.length);
  const bytes = new Uint8Array(start + offset);
  new Uint32Array(bytes.buffer, 0, 3).set([MAGIC, bytes.length, header.length]);
  bytes.set(header, HEAD_BYTES);
  for (const [name, , , at] of entries) {
    const array = arrays[name];
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + at);
  }
  return bytes;
}

/**
 * Decodes a container; the arrays are views of `bytes` if its alignment permits.
 *
 * @param where file name for errors
 */
export function decodeContainer<Meta>(
  kind: string,
  bytes: Uint8Array,
  where = "The file",
): Container<Meta> {
  const { total, headerBytes } = containerSize(bytes, where);
  if (bytes.length < total) throw new InputError(`${where} is cut short; make it again.`);
  const aligned = bytes.byteOffset % 8 ? bytes.slice() : bytes;
  const header = readHeader<Meta>(aligned.subarray(HEAD_BYTES, HEAD_BYTES + headerBytes), where);
  if (header.kind !== kind) {
    throw new InputError(`${where} holds ${header.kind}, where ${kind} was expected.`);
  }
  const start = align(HEAD_BYTES + headerBytes);
  const arrays: Record<string, ContainerArray> = Object.create(null);
  for (const [name, type, length, offset] of header.arrays) {
    const Kind = Object.hasOwn(TYPES, type) ? TYPES[type as keyof typeof TYPES] : undefined;
    const fits =
      Kind &&
      isCount(length) &&
      isCount(offset) &&
      offset % 8 === 0 &&
      start + offset + length * Kind.BYTES_PER_ELEMENT <= total;
    if (!fits) throw damaged(where);
    arrays[name] = new Kind(
      aligned.buffer as ArrayBuffer,
      aligned.byteOffset + start + offset,
      length,
    );
  }
  return { meta: header.meta, arrays };
}

function readHeader<Meta>(
  bytes: Uint8Array,
  where: string,
): { kind: string; meta: Meta; arrays: Entry[] } {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes));
    if (header.meta && Array.isArray(header.arrays) && header.arrays.every(Array.isArray)) {
      return header;
    }
  } catch {
    // Reported below.
  }
  throw damaged(where);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function damaged(where: string): InputError {
  return new InputError(`${where} is damaged; make it again.`);
}

/** Returns the sizes of a container and its header from its first 16 bytes. */
export function containerSize(
  bytes: Uint8Array,
  where = "The file",
): { total: number; headerBytes: number } {
  if (bytes.length >= HEAD_BYTES) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
    if (view.getUint32(0, true) === MAGIC) {
      return { total: view.getUint32(4, true), headerBytes: view.getUint32(8, true) };
    }
  }
  throw new InputError(`${where} is not a HeterSkin file of this version.`);
}

function typeOf(array: ContainerArray): string {
  for (const [name, type] of Object.entries(TYPES)) if (array instanceof type) return name;
  throw new Error(`encodeContainer: arrays must be 8, 16 or 32 bits wide, got ${array}.`);
}

function align(offset: number): number {
  return (offset + 7) & ~7;
}
