import { open, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { refuseLarge } from "../formats/budget.ts";
import { baseName, decodeUri, shorten, stemOf } from "../formats/endings.ts";
import type { NeighborKind } from "../formats/gltf/gltf-source.ts";
import type { InputFile } from "../formats/read-character.ts";
import { imageType, isUnsupportedImage } from "../formats/scene/images.ts";
import { InputError } from "../input-error.ts";

/**
 * Reads a file's bytes, with a way to fetch its neighbors.
 *
 * @param maxMemory bytes that it, and each neighbor, may have
 */
export async function openInput(file: string, maxMemory?: number): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  const name = path.basename(file);
  const resolve: InputFile["resolve"] = async (uri, kind = "buffer") => {
    const neighbor = await findNeighbor(folder, name, uri, kind);
    const bytes = neighbor === undefined ? undefined : readPlainFile(neighbor, maxMemory);
    // Only a buffer that cannot be read refuses a character.
    return kind === "buffer" ? bytes : bytes?.catch(() => undefined);
  };
  return { name, bytes: await readPlainFile(file, maxMemory), resolve };
}

/** Folders where exporters leave pictures, beside the file; the last ones beside its folder. */
const PICTURE_FOLDERS = ["", "textures", "Textures", "tex", "images", "Images"];
const SHARED_FOLDERS = ["../textures", "../Textures"];
/** Bytes that tell a picture. */
const START = 24;
/** Endings of pictures that take the place of one of another kind. */
const PICTURE_ENDINGS = [".png", ".jpg", ".jpeg"];

/**
 * The real path of a file that another one refers to; undefined where there is none that may be taken.
 *
 * Buffers must lie where the file says, inside its own folder, or it is refused. Pictures and
 * materials are looked for there and in the usual places by their names, and only what begins like a
 * picture is one; of a kind that glTF cannot hold it is taken where there is no PNG or JPEG of its
 * name. Nothing outside these folders is opened, whatever links lead there, and nothing
 * whose path has a part that begins with a dot.
 */
export async function findNeighbor(
  folder: string,
  from: string,
  uri: string,
  kind: NeighborKind,
): Promise<string | undefined> {
  const named = placeOf(uri);
  if (kind === "buffer") {
    const found = named === undefined ? undefined : await realFile(folder, named, []);
    if (named === undefined || found === "outside") throw outside(from, uri);
    return found;
  }
  const folders = kind === "picture" ? [...SHARED_FOLDERS] : [];
  let other: string | undefined;
  for (const place of placesOf(from, uri, named, kind)) {
    const found = await realFile(folder, place, folders);
    if (found === undefined || found === "outside") continue;
    if (kind !== "picture") return found;
    const start = await startOf(found);
    if (start && imageType(start)) return found;
    if (start && isUnsupportedImage(start)) other ??= found;
  }
  return other;
}

/** Where a URI points, below the file's folder; undefined where it leads elsewhere. */
export function placeOf(uri: string): string | undefined {
  const place = path.posix.normalize(decodeUri(uri).replaceAll("\\", "/"));
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(uri) || place.startsWith("/") || hasDots(place);
  return isElsewhere || place.includes("\0") ? undefined : place;
}

function hasDots(place: string): boolean {
  return place.split("/").some((part) => part.startsWith("."));
}

/** Where to look for a picture or materials: as named, by the last part of the name, by other endings. */
function placesOf(
  from: string,
  uri: string,
  named: string | undefined,
  kind: NeighborKind,
): string[] {
  const base = baseName(decodeUri(uri));
  if (base === "" || base.startsWith(".") || base.includes("\0")) return [];
  const folders = [...PICTURE_FOLDERS, `${stemOf(from)}.fbm`, ...SHARED_FOLDERS];
  const stem = stemOf(base);
  const endings = kind === "picture" ? PICTURE_ENDINGS : [];
  const plain = [base, ...endings.map((ending) => stem + ending)].flatMap((name) =>
    folders.map((folder) => path.posix.join(folder, name)),
  );
  return [...new Set(named === undefined ? plain : [named, ...plain])];
}

/** The real path of a plain file, or that it lies outside the folders it may lie in. */
async function realFile(
  folder: string,
  place: string,
  besides: string[],
): Promise<string | "outside" | undefined> {
  const real = await realpath(path.join(folder, place)).catch(() => undefined);
  if (real === undefined || !(await stat(real).catch(() => undefined))?.isFile()) return undefined;
  for (const each of ["", ...besides]) {
    const root = await realpath(path.join(folder, each)).catch(() => undefined);
    const below = root === undefined ? ".." : path.relative(root, real);
    if (below && !path.isAbsolute(below) && !hasDots(below.split(path.sep).join("/"))) return real;
  }
  return "outside";
}

async function startOf(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    return (await handle?.read(new Uint8Array(START), 0, START, 0))?.buffer;
  } finally {
    await handle?.close();
  }
}

function outside(from: string, uri: string): InputError {
  return new InputError(
    `${from}: it refers to "${shorten(uri)}", outside its own folder; put that file beside it and refer to it by name.`,
  );
}

/** Throws `InputError` for what is no plain file, or larger than `maxMemory` bytes. */
export async function checkPlainFile(file: string, maxMemory?: number): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw new InputError(`${file}: no such file.`);
  if (info.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (!info.isFile()) {
    throw new InputError(`${file}: this is a device or a pipe; save it as a plain file first.`);
  }
  refuseLarge(file, info.size, maxMemory);
}

/** Reads a file that somebody named, once {@link checkPlainFile} has nothing against it. */
async function readPlainFile(file: string, maxMemory?: number): Promise<Uint8Array> {
  await checkPlainFile(file, maxMemory);
  try {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    // The same bytes without Buffer's own ways; a copy would hold them twice.
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    throw new InputError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
