import { InputError } from "../../input-error.ts";
import { damaged } from "../losses.ts";
import type { GltfJson } from "./gltf-json.ts";

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** Whether the bytes begin like a GLB. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/**
 * Splits a GLB into its JSON text and its binary chunk (glTF 2.0 specification, section 4.4); each length is
 * checked against the bytes available.
 */
export function splitGlb(name: string, bytes: Uint8Array): { text: string; bin?: Uint8Array } {
  if (bytes.length < 20) throw truncated(name, 20, bytes.length);
  const view = viewOf(bytes);
  const version = view.getUint32(4, true);
  if (version !== 2) {
    throw new InputError(`${name}: GLB version ${version} is not supported; save it as glTF 2.0.`);
  }
  const length = view.getUint32(8, true);
  if (length > bytes.length) throw truncated(name, length, bytes.length);
  let text: string | undefined;
  let bin: Uint8Array | undefined;
  for (let at = 12; at + 8 <= length; ) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    const end = at + 8 + size;
    if (end > length) throw truncated(name, end, length);
    const chunk = bytes.subarray(at + 8, end);
    if (type === JSON_CHUNK && text === undefined) text = new TextDecoder().decode(chunk);
    if (type === BIN_CHUNK && bin === undefined) bin = chunk;
    at = end + ((4 - (end % 4)) % 4);
  }
  if (text === undefined) throw damaged(name, "the GLB has no JSON chunk");
  return bin ? { text, bin } : { text };
}

/** Joins JSON and binary chunk into a GLB; `bin` may be empty. */
export function joinGlb(json: GltfJson, bin: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textSize = align4(text.length);
  const binSize = align4(bin.length);
  const total = 12 + 8 + textSize + (binSize > 0 ? 8 + binSize : 0);
  const out = new Uint8Array(total);
  const view = viewOf(out);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, total, true);
  view.setUint32(12, textSize, true);
  view.setUint32(16, JSON_CHUNK, true);
  out.fill(0x20, 20, 20 + textSize);
  out.set(text, 20);
  if (binSize > 0) {
    view.setUint32(20 + textSize, binSize, true);
    view.setUint32(24 + textSize, BIN_CHUNK, true);
    out.set(bin, 28 + textSize);
  }
  return out;
}

/** Rounds up to a multiple of 4, as glTF requires for chunks, views and accessors. */
export function align4(size: number): number {
  return Math.ceil(size / 4) * 4;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function truncated(name: string, wanted: number, found: number): InputError {
  return new InputError(
    `${name}: the GLB should have ${wanted} bytes but has ${found}; copy or export it again.`,
  );
}
