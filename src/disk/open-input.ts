import { open, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { refuseLarge } from "../formats/budget.ts";
import { baseName, decodeUri, shorten, stemOf } from "../formats/endings.ts";
import type { NeighborKind } from "../formats/gltf/gltf-source.ts";
import type { InputFile } from "../formats/read-character.ts";
import { imageType, isUnsupportedImage } from "../formats/scene/images.ts";
import { InputError } from "../input-error.ts";

/**
 * Reads a file's bytes, with a function to fetch the files it refers to.
 *
 * @param maxMemory maximum size of it and of each referenced file in bytes
 */
export async function openInput(file: string, maxMemory?: number): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  const name = path.basename(file);
  const resolve: InputFile["resolve"] = async (uri, kind = "buffer") => {
    const neighbor = await findNeighbor(folder, name, uri, kind);
    const bytes = neighbor === undefined ? undefined : readPlainFile(neighbor, maxMemory);
    // Only an unreadable buffer is an error.
    return kind === "buffer" ? bytes : bytes?.catch(() => undefined);
  };
  return { name, bytes: await readPlainFile(file, maxMemory), resolve };
}

/** Folders where exporters put images, next to the file; the last ones next to its folder. */
const PICTURE_FOLDERS = ["", "textures", "Textures", "tex", "images", "Images"];
const SHARED_FOLDERS = ["../textures", "../Textures"];
/** Bytes needed to detect an image type. */
const START = 24;
/** Extensions of images that replace one of another type. */
const PICTURE_ENDINGS = [".png", ".jpg", ".jpeg"];

/**
 * Returns the real path of a referenced file; undefined if there is none that may be opened.
 *
 * Buffers must be at the stated path, inside the file's own folder, otherwise it is rejected. Images and
 * materials are also searched in the usual folders by name, and images must have an image's magic number; an
 * unsupported type is returned if there is no PNG or JPEG of its name. Nothing outside these folders is opened,
 * even through links, and nothing with a path component that begins with a dot.
 */
export async function findNeighbor(
  folder: string,
  from: string,
  uri: string,
  kind: NeighborKind,
): Promise<string | undefined> {
  const named = relativePath(uri);
  if (kind === "buffer") {
    const found = named === undefined ? undefined : await realFile(folder, named, []);
    if (named === undefined || found === "outside") throw outside(from, uri);
    return found;
  }
  const folders = kind === "picture" ? [...SHARED_FOLDERS] : [];
  let other: string | undefined;
  for (const candidate of candidatesOf(from, uri, named, kind)) {
    const found = await realFile(folder, candidate, folders);
    if (found === undefined || found === "outside") continue;
    if (kind !== "picture") return found;
    const start = await startOf(found);
    if (start && imageType(start)) return found;
    if (start && isUnsupportedImage(start)) other ??= found;
  }
  return other;
}

/** Returns the path of a URI below the file's folder; undefined if it leads elsewhere. */
export function relativePath(uri: string): string | undefined {
  const relative = path.posix.normalize(decodeUri(uri).replaceAll("\\", "/"));
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(uri) || relative.startsWith("/");
  return isAbsolute || hasDots(relative) || relative.includes("\0") ? undefined : relative;
}

function hasDots(relative: string): boolean {
  return relative.split("/").some((part) => part.startsWith("."));
}

/** Candidate paths of an image or material: as named, by its base name, with other extensions. */
function candidatesOf(from: string, uri: string, named: string | undefined, kind: NeighborKind) {
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

/** The real path of a plain file, or "outside" if it is outside the allowed folders. */
async function realFile(folder: string, relative: string, otherFolders: string[]) {
  const real = await realpath(path.join(folder, relative)).catch(() => undefined);
  if (real === undefined || !(await stat(real).catch(() => undefined))?.isFile()) return undefined;
  for (const each of ["", ...otherFolders]) {
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
    `${from}: it refers to "${shorten(uri)}" outside its folder; move that file next to it.`,
  );
}

/** Throws an `InputError` if a path is not a plain file, or is larger than `maxMemory` bytes. */
export async function checkPlainFile(file: string, maxMemory?: number): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw new InputError(`${file}: no such file.`);
  if (info.isDirectory()) throw new InputError(`${file}: this is a folder, not a file.`);
  if (!info.isFile()) {
    throw new InputError(`${file}: this is a device or a pipe, not a plain file.`);
  }
  refuseLarge(file, info.size, maxMemory);
}

async function readPlainFile(file: string, maxMemory?: number): Promise<Uint8Array> {
  await checkPlainFile(file, maxMemory);
  try {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    // A plain Uint8Array over the same memory.
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    throw new InputError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
