import type { Picture } from "../../picture/picture.ts";
import { decodePng, encodePng } from "../../picture/png.ts";
import { baseName } from "../endings.ts";
import type { ResolveUri } from "../gltf/gltf-source.ts";
import { type Losses, reportLoss } from "../losses.ts";
import type { SceneMaterial, SceneTexture } from "./scene.ts";

/** Magic numbers of image formats; `-` is any byte. */
const KINDS: readonly (readonly [mime: string, start: string])[] = [
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8"],
  ["image/webp", "RIFF----WEBP"],
  ["image/ktx2", "\xabKTX 20\xbb\r\n\x1a\n"],
  ["image/avif", "----ftypavif"],
  ["image/vnd-ms.dds", "DDS "],
];

/** Detects the MIME type of an image; undefined if it is none. */
export function imageType(bytes: Uint8Array): string | undefined {
  return KINDS.find(([, start]) => beginsLike(bytes, start))?.[0];
}

function beginsLike(bytes: Uint8Array, start: string): boolean {
  return [...start].every((char, i) => char === "-" || bytes[i] === char.charCodeAt(0));
}

/** Whether bytes are a PNG or JPEG, the formats every glTF viewer supports. */
export function isPngOrJpeg(bytes: Uint8Array): boolean {
  const type = imageType(bytes);
  return type === "image/png" || type === "image/jpeg";
}

/** Magic numbers of images that glTF does not support. */
const OTHER_KINDS = ["BM", "GIF8", "II*\0", "MM\0*", "8BPS", "\x76\x2f\x31\x01"];
const TGA_TYPES = [1, 2, 3, 9, 10, 11];
const TGA_DEPTHS = [8, 15, 16, 24, 32];

/** Whether bytes are an image that glTF does not support: BMP, GIF, TIFF, PSD, EXR, TGA. */
export function isUnsupportedImage(bytes: Uint8Array): boolean {
  if (OTHER_KINDS.some((start) => beginsLike(bytes, start))) return true;
  // A TGA has no magic number, but few valid headers.
  return bytes[1] <= 1 && TGA_TYPES.includes(bytes[2]) && TGA_DEPTHS.includes(bytes[16]);
}

/** Images that a file refers to and that are missing or unsupported. */
export interface MissingImages {
  losses: Losses;
  missing: Set<string>;
}

/** Reports an image that is missing or unsupported. */
export function reportImage(
  { losses, missing }: MissingImages,
  path: string,
  exists: boolean,
): void {
  if (exists) {
    const ending = /\.\w+$/.exec(path)?.[0].toLowerCase() ?? "unknown";
    reportLoss(losses, `images glTF does not support (${ending})`);
  } else {
    missing.add(path);
    reportLoss(losses, "missing images");
  }
}

/** Paths listed in a warning. */
const NAMED = 3;

/** Describes missing files in one sentence; empty if there are none. */
export function missingNotes(what: "image" | "material file", paths: Iterable<string>): string[] {
  const names = [...paths].map((path) => `"${path.length > 60 ? `...${path.slice(-57)}` : path}"`);
  if (names.length === 0) return [];
  if (names.length === 1) return [`The ${what} ${names[0]} was not found next to the file.`];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const listed = names.slice(0, NAMED).join(", ");
  return [`${names.length} ${what}s were not found next to the file: ${listed}${more}.`];
}

/** Images next to a file, each fetched once, so that the same path yields the same array. */
export interface ImageFinder extends MissingImages {
  /** Returns the file at a path, whether it is an image or not. */
  fetch(path: string): Promise<Uint8Array | undefined>;
  /** Returns the image at a path; reports it if it is missing or unsupported. */
  find(path: string): Promise<SceneTexture | undefined>;
}

/** Creates an image finder that reports missing images to `without`. */
export function createImageFinder(
  resolve: ResolveUri | undefined,
  without: MissingImages,
): ImageFinder {
  const fetched = new Map<string, Promise<Uint8Array | undefined>>();
  const fetch = (path: string) => {
    const known = fetched.get(path) ?? Promise.resolve(resolve?.(path, "picture"));
    fetched.set(path, known);
    return known;
  };
  const find = async (path: string) => {
    const picture = await fetch(path);
    if (picture && isPngOrJpeg(picture)) return { picture, name: baseName(path) };
    reportImage(without, path, picture !== undefined);
    return undefined;
  };
  return { ...without, fetch, find };
}

/**
 * Converts textures to those of glTF: opacity is the alpha of the color texture; metallic and roughness are
 * the blue and green channels of one image, composed of two PNGs. Others are reported as losses.
 */
export function combineTextures(material: SceneMaterial, losses: Losses): SceneMaterial {
  const { color, opacity, roughness, metallic, ...rest } = material.textures ?? {};
  const out: SceneMaterial = { ...material, textures: { ...rest, ...(color ? { color } : {}) } };
  const textures = out.textures ?? {};
  if (opacity && opacity.picture === color?.picture) textures.opacity = opacity;
  else if (opacity) reportLoss(losses, "opacity textures separate from the color texture");
  // The blue channel of a roughness image has no effect while the metallic factor is 0.
  if (roughness) textures.metallicRoughness = roughness;
  if (!metallic || metallic.picture === roughness?.picture) return out;
  const both = paintBoth(metallic, roughness);
  if (both) textures.metallicRoughness = both;
  else {
    out.metallic = 0;
    reportLoss(
      losses,
      "metallic textures that are not PNGs, or combined with such roughness textures",
    );
  }
  return out;
}

/** Combines two images: roughness in green (255 if there is none), metallic in blue. */
function paintBoth(metallic: SceneTexture, roughness: SceneTexture | undefined) {
  const metal = decodePng(metallic.picture);
  const rough = roughness && decodePng(roughness.picture);
  if (!metal || (roughness && !rough)) return undefined;
  const { width, height } = rough && rough.width > metal.width ? rough : metal;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let p = 0; p < width * height; p++) {
    const [u, v] = [((p % width) + 0.5) / width, (Math.floor(p / width) + 0.5) / height];
    if (rough) pixels[p * 4 + 1] = redAt(rough, u, v);
    pixels[p * 4 + 2] = redAt(metal, u, v);
  }
  const name = `${metallic.name.replace(/\.\w+$/, "")}-roughness.png`;
  return { ...metallic, name, picture: encodePng({ width, height, pixels }) };
}

function redAt({ width, height, pixels }: Picture, u: number, v: number): number {
  return pixels[(Math.floor(v * height) * width + Math.floor(u * width)) * 4];
}
