import { pictureType } from "../scene/images.ts";
import type { GltfImage, GltfJson } from "./gltf-json.ts";
import { type GltfSource, isDataUri } from "./gltf-source.ts";

/** One pixel each, as PNG: white, which changes no color, and the normal that changes no light. */
const WHITE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC";
const FLAT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNoaPgPAAODAgAApfuJAAAAAElFTkSuQmCC";

/**
 * Puts one pixel in place of each picture that was not found, so that the file written refers to
 * nothing that is not there, and no viewer calls on an address that a stranger chose.
 *
 * @param place stores a pixel, a data URI, in the file
 */
export function fillMissingImages(
  json: GltfJson,
  source: GltfSource,
  place: (image: GltfImage, pixel: string) => void,
): void {
  const flat = normalImages(json);
  for (const [index, image] of (json.images ?? []).entries()) {
    if (image.uri === undefined || image.bufferView !== undefined) continue;
    const isThere =
      typeof image.uri === "string" && (isDataUri(image.uri) || source.images.has(image.uri));
    if (isThere) continue;
    delete image.uri;
    image.mimeType = "image/png";
    place(image, flat.has(index) ? FLAT : WHITE);
  }
}

/** Images that are normal maps. */
function normalImages({ materials = [], textures = [] }: GltfJson): Set<unknown> {
  const list = <T>(value: T[]): T[] => (Array.isArray(value) ? value : []);
  const used = list(materials as { normalTexture?: { index?: number } }[]).map(
    (material) => list(textures)[material?.normalTexture?.index ?? -1],
  );
  return new Set((used as ({ source?: number } | undefined)[]).map((texture) => texture?.source));
}

/**
 * The pictures that go beside a .gltf, by their URIs; those from elsewhere, or with a path that means
 * more than a place below the file, get plain names in the JSON.
 */
export function imagesBeside(json: GltfJson, source: GltfSource): Map<string, Uint8Array> {
  const besides = new Map<string, Uint8Array>();
  for (const image of json.images ?? []) {
    const uri = image.uri;
    const bytes = typeof uri === "string" ? source.images.get(uri) : undefined;
    if (uri === undefined || !bytes) continue;
    let name = asNow(isPlainPlace(uri) ? uri : plainName(uri), bytes);
    for (let n = 2; besides.has(name) && besides.get(name) !== bytes; n++) {
      name = plainName(uri).replace(/(?=\.[^.]*$|$)/, `-${n}`);
    }
    image.uri = name;
    besides.set(name, bytes);
  }
  return besides;
}

/** A name whose ending fits, where a PNG or JPEG took the place of a picture that glTF cannot hold. */
function asNow(name: string, bytes: Uint8Array): string {
  const ending = pictureType(bytes) === "image/jpeg" ? ".jpg" : ".png";
  return name.replace(/\.(?:tga|bmp|gif|tiff?|psd|exr)$/i, ending);
}

/** Whether a URI is a path of plain names, none of which begins with a dot. */
function isPlainPlace(uri: string): boolean {
  try {
    const place = decodeURIComponent(uri);
    const parts = place.split("/");
    return !/[\\:\0]/.test(place) && parts.every((part) => part !== "" && !part.startsWith("."));
  } catch {
    return false;
  }
}

function plainName(uri: string): string {
  const base = uri.replace(/^.*(?:[\\/:]|%2f|%5c)/is, "").replace(/^(?:\.|%2e)+/i, "");
  return /^[\w%. -]+$/.test(base) && isPlainPlace(base) ? base : "picture";
}
