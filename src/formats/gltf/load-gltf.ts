import { createPacer } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { spend } from "../budget.ts";
import { shorten } from "../endings.ts";
import type { LoadContext } from "../load-context.ts";
import { damaged } from "../losses.ts";
import { imageType, missingNotes, reportImage } from "../scene/images.ts";
import { checkGltf, checkLists } from "./check-gltf.ts";
import { decodeCompressed } from "./decode-compressed.ts";
import { isGlb, splitGlb } from "./glb.ts";
import { type GltfJson, meshoptOf } from "./gltf-json.ts";
import { decodeDataUri, type GltfSource, isDataUri, type ResolveUri } from "./gltf-source.ts";

/** Maximum depth; deeper nesting would only serve to exhaust the stack. */
const MAX_DEPTH = 200;

/**
 * Reads a GLB, VRM or glTF into JSON and buffers, validated and with compressed geometry decoded.
 * A missing image is a warning, a missing buffer is an error.
 */
export async function loadGltf(
  name: string,
  bytes: Uint8Array,
  { resolve = async () => undefined, draco, budget, pacer = createPacer() }: LoadContext,
): Promise<GltfSource> {
  const { text, bin } = isGlb(bytes)
    ? splitGlb(name, bytes)
    : { text: new TextDecoder().decode(bytes), bin: undefined };
  const json = parseJson(name, text);
  await pacer.pause();
  checkLists(name, json);
  const source: GltfSource = { name, json, buffers: [], images: new Map(), notes: [], budget };
  spend(budget, json.nodes?.length ?? 0, "nodes");
  await loadBuffers(source, bin, resolve);
  await loadImages(source, resolve);
  checkGltf(source);
  await pacer.pause();
  await decodeCompressed(source, draco, pacer);
  // Decoded data may have other sizes than stated before.
  checkGltf(source);
  await pacer.pause();
  return source;
}

function parseJson(name: string, text: string): GltfJson {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!text.trimStart().startsWith("{")) {
      throw new InputError(`${name}: neither a GLB nor the JSON of a glTF; damaged or misnamed.`);
    }
    // The message quotes the text, with its line breaks.
    const why = (error as Error).message.replace(/\s+/g, " ");
    throw new InputError(`${name}: invalid JSON (${why}).`);
  }
  if (isTooDeep(json)) throw damaged(name, `its JSON is nested more than ${MAX_DEPTH} deep`);
  const version = (json as GltfJson | null)?.asset?.version;
  if (typeof version !== "string") {
    throw new InputError(`${name}: this JSON is not a glTF, it has no asset.version.`);
  }
  if (!version.startsWith("2.")) {
    throw new InputError(`${name}: glTF ${version} is not supported; save it as glTF 2.0.`);
  }
  return json as GltfJson;
}

/** Breadth-first, because a recursive check could overflow the stack. */
function isTooDeep(json: unknown): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null
        ? Object.values(value).filter((inner) => typeof inner === "object" && inner !== null)
        : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

async function loadBuffers(source: GltfSource, bin: Uint8Array | undefined, resolve: ResolveUri) {
  const { name, json } = source;
  for (const [index, buffer] of (json.buffers ?? []).entries()) {
    const fallback = meshoptOf(buffer);
    let found: Uint8Array | undefined;
    if (typeof buffer.uri === "string") {
      if (isDataUri(buffer.uri)) {
        spend(source.budget, buffer.uri.length);
        found = decodeDataUri(buffer.uri);
      } else {
        found = await resolve(buffer.uri, "buffer");
        spend(source.budget, found?.length ?? 0);
      }
      if (!found) {
        const uri = shorten(buffer.uri);
        throw new InputError(`${name}: buffer ${index} ("${uri}") was not found next to the file.`);
      }
    } else if (index === 0 && bin) found = bin;
    // Meshopt's fallback buffer is empty by design: its views are decoded from another buffer.
    else if (fallback) found = new Uint8Array(0);
    if (!found) throw damaged(name, `buffer ${index} has no bytes`);
    if (!fallback && !(buffer.byteLength <= found.length)) {
      const sizes = `${buffer.byteLength} bytes, but has ${found.length}`;
      throw new InputError(`${name}: buffer ${index} should have ${sizes}; the file is truncated.`);
    }
    source.buffers.push(found);
  }
}

async function loadImages(source: GltfSource, resolve: ResolveUri): Promise<void> {
  const known = new Set<string>();
  const without = { losses: new Map(), missing: new Set<string>() };
  for (const { uri } of source.json.images ?? []) {
    if (typeof uri !== "string" || isDataUri(uri) || known.has(uri)) continue;
    known.add(uri);
    const bytes = await resolve(uri, "picture");
    if (bytes && imageType(bytes)) {
      spend(source.budget, bytes.length);
      source.images.set(uri, bytes);
    } else reportImage(without, uri, bytes !== undefined);
  }
  source.notes?.push(...missingNotes("image", without.missing));
  source.losses = without.losses;
}
