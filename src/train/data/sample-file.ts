import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import type { Weighted } from "../../learn/augment/weighted.ts";
import { containerSize, decodeContainer, encodeContainer } from "../../learn/container.ts";
import { decodeSample, encodeSample, type Sample } from "../../learn/sample.ts";
import { joinArrays } from "../../math/arrays.ts";
import { checkId } from "./character-table.ts";
import { decodeCharacter, encodeCharacter } from "./pack.ts";

/** The header of a sample file. */
export interface SampleFileInfo {
  /** Hash of the sample settings. */
  key: string;
  name: string;
  split: string;
  /** Hash of the joint names. */
  skeleton: string;
  /** The original character, then its variants. */
  variants: { vertices: number; joints: number; parts: number; how: string }[];
}

/** A sample file of which only the header has been read. */
export interface SampleFile extends SampleFileInfo {
  path: string;
  /** Byte range of each variant, then of the character if stored. */
  blocks: { offset: number; length: number }[];
}

interface FileMeta extends SampleFileInfo {
  /** Bytes of each block after the header. */
  lengths: number[];
}

/** Writes the samples of a character, and the character itself for scoring. */
export function writeSampleFile(
  path: string,
  info: SampleFileInfo,
  samples: Sample[],
  character?: Weighted,
): void {
  const blocks = samples.map(encodeSample);
  if (character) blocks.push(encodeCharacter(character));
  const meta: FileMeta = { ...info, lengths: blocks.map((block) => block.length) };
  const bytes = joinArrays(Uint8Array, [encodeContainer("samples", meta, {}), ...blocks]);
  writeWhole([[path, bytes]], true);
}

/** Reads the header of a sample file. */
export function openSampleFile(path: string): SampleFile {
  const file = openSync(path, "r");
  try {
    const { total } = containerSize(readAt(file, 0, 16, path), path);
    // Checked before memory is allocated.
    if (fstatSync(file).size < total) throw new InputError(`${path} is cut short; make it again.`);
    const header = readAt(file, 0, total, path);
    const { lengths, ...info } = decodeContainer<FileMeta>("samples", header, path).meta;
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    if (!Array.isArray(lengths) || !lengths.every(isCount) || !Array.isArray(info.variants)) {
      throw damaged(path);
    }
    checkId(info.name, path);
    let offset = total;
    const blocks = lengths.map((length) => {
      const block = { offset, length };
      offset += length;
      return block;
    });
    if (fstatSync(file).size < offset) throw new InputError(`${path} is cut short; make it again.`);
    return { ...info, path, blocks };
  } finally {
    closeSync(file);
  }
}

export function readSample(file: SampleFile, variant: number): Sample {
  return decoded(file.path, () => decodeSample(readBlock(file, variant), file.path));
}

/** Reads the character of a file; undefined if not stored. */
export function readSampleCharacter(file: SampleFile): Weighted | undefined {
  const index = file.variants.length;
  if (index >= file.blocks.length) return undefined;
  return decoded(file.path, () => decodeCharacter(readBlock(file, index), file.path));
}

/** Any decoding failure means that the file is damaged. */
function decoded<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof InputError ? error : damaged(path);
  }
}

function damaged(path: string): InputError {
  return new InputError(`${path} is damaged; make it again.`);
}

function readBlock({ path, blocks }: SampleFile, index: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    return readAt(file, blocks[index].offset, blocks[index].length, path);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, offset: number, length: number, path: string): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(file, bytes, filled, length - filled, offset + filled);
    if (got === 0) throw new InputError(`${path} is cut short; make it again.`);
    filled += got;
  }
  return bytes;
}
