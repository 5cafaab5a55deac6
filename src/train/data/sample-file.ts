import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Character } from "../../character/character.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { containerSize, decodeContainer, encodeContainer } from "../../learn/container.ts";
import { decodeSample, encodeSample, type Sample } from "../../learn/sample.ts";
import { joinArrays } from "../../math/arrays.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { checkId } from "./character-table.ts";
import { decodeCharacter, encodeCharacter } from "./pack.ts";

/** The header of a file of samples, read without the samples. */
export interface SampleFileInfo {
  /** Key of the settings the samples were made with. */
  key: string;
  name: string;
  split: string;
  /** The same for characters whose joints have the same names. */
  skeleton: string;
  /** The original, then its variants. */
  variants: { vertices: number; joints: number; parts: number; how: string }[];
}

/** An open file of samples. */
export interface SampleFile extends SampleFileInfo {
  path: string;
  /** Range in the file of each variant, then of the character if it is stored. */
  blocks: { offset: number; length: number }[];
}

interface FileMeta extends SampleFileInfo {
  /** Bytes of each block; they follow the header. */
  lengths: number[];
}

/** Writes all samples of one character, and the character itself if it will be scored. */
export function writeSampleFile(
  path: string,
  info: SampleFileInfo,
  samples: Sample[],
  character?: Character & { weights: SkinWeights },
): void {
  const blocks = samples.map(encodeSample);
  if (character) blocks.push(encodeCharacter(character));
  const meta: FileMeta = { ...info, lengths: blocks.map((block) => block.length) };
  writeWhole(
    [[path, joinArrays(Uint8Array, [encodeContainer("samples", meta, {}), ...blocks])]],
    true,
  );
}

/** Reads the header of a file of samples. */
export function openSampleFile(path: string): SampleFile {
  const file = openSync(path, "r");
  try {
    const first = readAt(file, 0, 16, path);
    const { total } = containerSize(first, path);
    // Sizes are checked before memory is allocated.
    if (fstatSync(file).size < total) throw truncated(path);
    const { lengths, ...info } = decodeContainer<FileMeta>(
      "samples",
      readAt(file, 0, total, path),
      path,
    ).meta;
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
    if (fstatSync(file).size < offset) throw truncated(path);
    return { ...info, path, blocks };
  } finally {
    closeSync(file);
  }
}

/** Reads one sample of a file. */
export function readSample(file: SampleFile, variant: number): Sample {
  return decoded(file.path, () => decodeSample(readBlock(file, variant), file.path));
}

/** Reads the character of a file; undefined if it was not stored. */
export function readSampleCharacter(
  file: SampleFile,
): (Character & { weights: SkinWeights }) | undefined {
  const index = file.variants.length;
  if (index >= file.blocks.length) return undefined;
  return decoded(file.path, () => decodeCharacter(readBlock(file, index), file.path));
}

/** Any decoding error means that the file is damaged. */
function decoded<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof InputError ? error : damaged(path);
  }
}

function truncated(path: string): InputError {
  return new InputError(`${path} is truncated; create it again.`);
}

function damaged(path: string): InputError {
  return new InputError(`${path} is damaged; create it again.`);
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
    if (got === 0) throw truncated(path);
    filled += got;
  }
  return bytes;
}
