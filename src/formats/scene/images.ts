import type { Picture } from "../../picture/picture.ts";
import { decodePng, encodePng } from "../../picture/png.ts";
import { baseName } from "../endings.ts";
import type { ResolveUri } from "../gltf/gltf-source.ts";
import { type Losses, lose } from "../losses.ts";
import type { SceneMaterial, SceneTexture } from "./scene.ts";

/** First bytes of the pictures that files of characters refer to; `-` stands for any byte. */
const KINDS: readonly (readonly [mime: string, start: string])[] = [
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8"],
  ["image/webp", "RIFF----WEBP"],
  ["image/ktx2", "\xabKTX 20\xbb\r\n\x1a\n"],
  ["image/avif", "----ftypavif"],
  ["image/vnd-ms.dds", "DDS "],
];

/** The kind of picture that bytes hold; undefined where they are none. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return KINDS.find(([, start]) => beginsLike(bytes, start))?.[0];
}

function beginsLike(bytes: Uint8Array, start: string): boolean {
  return [...start].every((char, i) => char === "-" || bytes[i] === char.charCodeAt(0));
}

/** Whether bytes are a PNG or JPEG, the pictures every glTF can hold. */
export function isPicture(bytes: Uint8Array): boolean {
  const type = pictureType(bytes);
  return type === "image/png" || type === "image/jpeg";
}

/** First bytes of pictures that glTF cannot hold. */
const OTHER_KINDS = ["BM", "GIF8", "II*\0", "MM\0*", "8BPS", "\x76\x2f\x31\x01"];
const TGA_TYPES = [1, 2, 3, 9, 10, 11];
const TGA_DEPTHS = [8, 15, 16, 24, 32];

/** Whether bytes are a picture of a kind that glTF cannot hold: BMP, GIF, TIFF, PSD, EXR, TGA. */
export function isOtherPicture(bytes: Uint8Array): boolean {
  if (OTHER_KINDS.some((start) => beginsLike(bytes, start))) return true;
  // A TGA has no mark of its own; its header has few ways to be.
  return bytes[1] <= 1 && TGA_TYPES.includes(bytes[2]) && TGA_DEPTHS.includes(bytes[16]);
}

/** What a file refers to and does without: counted as lost, and noted where it is not there. */
export interface MissingPictures {
  lost: Losses;
  /** Paths of those that were not found. */
  missing: Set<string>;
}

/** Counts a picture that cannot be taken. */
export function losePicture(
  { lost, missing }: MissingPictures,
  path: string,
  isThere: boolean,
): void {
  if (isThere) {
    const ending = /\.\w+$/.exec(path)?.[0].toLowerCase() ?? "unknown";
    lose(lost, `pictures glTF cannot hold (${ending})`);
  } else {
    missing.add(path);
    lose(lost, "pictures that were not found");
  }
}

/** Paths named in a sentence. */
const NAMED = 3;

/** Says what was not found, in one sentence; nothing where all was. */
export function missingNotes(
  what: "picture" | "file of materials",
  paths: Iterable<string>,
): string[] {
  const names = [...paths].map((path) => `"${path.length > 60 ? `...${path.slice(-57)}` : path}"`);
  if (names.length === 0) return [];
  if (names.length === 1) return [`The ${what} ${names[0]} was not found beside the file.`];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const several = what.replace(/^\w+/, "$&s");
  const listed = names.slice(0, NAMED).join(", ");
  return [`${names.length} ${several} were not found beside the file: ${listed}${more}.`];
}

/** The pictures beside a file, each fetched once, so that the same path gives the same bytes. */
export interface PictureFinder extends MissingPictures {
  /** What lies at a path, be it a picture or not. */
  fetch(path: string): Promise<Uint8Array | undefined>;
  /** The picture at a path; what glTF cannot hold is lost, what is not there is noted too. */
  find(path: string): Promise<SceneTexture | undefined>;
}

/** Begins to look for pictures; `without` is told of those that cannot be taken. */
export function findPictures(
  resolve: ResolveUri | undefined,
  without: MissingPictures,
): PictureFinder {
  const fetched = new Map<string, Promise<Uint8Array | undefined>>();
  const fetch = (path: string) => {
    const known = fetched.get(path) ?? Promise.resolve(resolve?.(path, "picture"));
    fetched.set(path, known);
    return known;
  };
  const find = async (path: string) => {
    const picture = await fetch(path);
    if (picture && isPicture(picture)) return { picture, name: baseName(path) };
    losePicture(without, path, picture !== undefined);
    return undefined;
  };
  return { ...without, fetch, find };
}

/**
 * Brings the maps of a material to those glTF has: opacity is the alpha of the color map, metal and
 * roughness are blue and green of one map, which is painted of two PNGs. What cannot be so is lost.
 */
export function combineTextures(material: SceneMaterial, lost: Losses): SceneMaterial {
  const { color, opacity, roughness, metallic, ...rest } = material.textures ?? {};
  const out: SceneMaterial = { ...material, textures: { ...rest, ...(color ? { color } : {}) } };
  const textures = out.textures ?? {};
  if (opacity && opacity.picture === color?.picture) textures.opacity = opacity;
  else if (opacity) lose(lost, "opacity maps apart from the color map");
  // A gray map of roughness says nothing about metal as long as the factor is 0.
  if (roughness) textures.metallicRoughness = roughness;
  if (!metallic || metallic.picture === roughness?.picture) return out;
  const both = paintBoth(metallic, roughness);
  if (both) textures.metallicRoughness = both;
  else {
    out.metallic = 0;
    lose(lost, "metal maps that are no PNG, or beside a map of roughness that is none");
  }
  return out;
}

/** One map of two: roughness in green (full where there is none), metal in blue. */
function paintBoth(
  metallic: SceneTexture,
  roughness: SceneTexture | undefined,
): SceneTexture | undefined {
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
