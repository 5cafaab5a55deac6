import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { refuseLarge } from "../formats/budget.ts";
import { baseName, decodeUri, shorten, stemOf } from "../formats/endings.ts";
import type { NeighborKind } from "../formats/gltf/gltf-source.ts";
import type { InputFile } from "../formats/read-character.ts";
import { imageType, isUnsupportedImage } from "../formats/scene/images.ts";
import { InputError } from "../input-error.ts";

/**
 * Reads a file and returns it with a resolver for the files it references.
 *
 * @param maxMemory maximum bytes of this file and of each referenced one
 */
export async function openInput(file: string, maxMemory?: number): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  const name = path.basename(file);
  const resolve: InputFile["resolve"] = async (uri, kind = "buffer") => {
    const neighbor = await findNeighbor(folder, name, uri, kind);
    const bytes = neighbor === undefined ? undefined : readPlainFile(neighbor, maxMemory);
    // Only a missing buffer makes a character unreadable.
    return kind === "buffer" ? bytes : bytes?.catch(() => undefined);
  };
  return { name, bytes: await readPlainFile(file, maxMemory), resolve };
}

/**
 * Texture folders of common exporters, relative to the file; the shared ones are next to its
 * folder.
 */
const IMAGE_FOLDERS = ["", "textures", "Textures", "tex", "images", "Images"];
const SHARED_FOLDERS = ["../textures", "../Textures"];
/** Bytes needed to recognize an image. */
const SIGNATURE_BYTES = 24;
/** Extensions tried in place of an unsupported one. */
const IMAGE_EXTENSIONS = [".png", ".jpg", ".jpeg"];

/**
 * Returns the real path of a referenced file, or undefined if no permitted file exists.
 *
 * Buffers must lie inside the file's folder. Images and materials are also looked up by name in the
 * usual folders, and an image must have an image signature; formats that glTF does not support are
 * the last choice. Links out of these folders and paths with a component that starts with a dot are
 * not followed.
 */
export async function findNeighbor(
  folder: string,
  from: string,
  uri: string,
  kind: NeighborKind,
): Promise<string | undefined> {
  const named = relativePath(uri);
  if (kind === "buffer") {
    const found = named === undefined ? "outside" : await realFile(folder, named, []);
    if (found !== "outside") return found;
    throw new InputError(
      `${from}: it references "${shorten(uri)}" outside its folder; put that file next to it and reference it by name.`,
    );
  }
  const folders = kind === "picture" ? [...SHARED_FOLDERS] : [];
  let other: string | undefined;
  for (const candidate of candidatePaths(from, uri, named, kind)) {
    const found = await realFile(folder, candidate, folders);
    if (found === undefined || found === "outside") continue;
    if (kind !== "picture") return found;
    const start = await readStart(found);
    if (start && imageType(start)) return found;
    if (start && isUnsupportedImage(start)) other ??= found;
  }
  return other;
}

/** Returns the path of a URI relative to the file's folder; undefined if it leads elsewhere. */
function relativePath(uri: string): string | undefined {
  const given = path.posix.normalize(decodeUri(uri).replaceAll("\\", "/"));
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(uri) || given.startsWith("/") || hasDots(given);
  return isElsewhere || given.includes("\0") ? undefined : given;
}

function hasDots(file: string): boolean {
  return file.split("/").some((part) => part.startsWith("."));
}

/**
 * Returns candidate paths: as given, by base name in the usual folders, and with other extensions.
 */
function candidatePaths(
  from: string,
  uri: string,
  named: string | undefined,
  kind: NeighborKind,
): string[] {
  const base = baseName(decodeUri(uri));
  if (base === "" || base.startsWith(".") || base.includes("\0")) return [];
  const folders = [...IMAGE_FOLDERS, `${stemOf(from)}.fbm`, ...SHARED_FOLDERS];
  const extensions = kind === "picture" ? IMAGE_EXTENSIONS : [];
  const names = [base, ...extensions.map((extension) => stemOf(base) + extension)];
  const plain = names.flatMap((name) => folders.map((folder) => path.posix.join(folder, name)));
  return [...new Set(named === undefined ? plain : [named, ...plain])];
}

/**
 * Returns the real path of a regular file, or "outside" if it is in none of the permitted folders.
 */
async function realFile(
  folder: string,
  file: string,
  extraFolders: string[],
): Promise<string | "outside" | undefined> {
  const real = await realpath(path.join(folder, file)).catch(() => undefined);
  if (real === undefined || !(await stat(real).catch(() => undefined))?.isFile()) return undefined;
  for (const each of ["", ...extraFolders]) {
    const root = await realpath(path.join(folder, each)).catch(() => undefined);
    const below = root === undefined ? ".." : path.relative(root, real);
    if (below && !path.isAbsolute(below) && !hasDots(below.split(path.sep).join("/"))) return real;
  }
  return "outside";
}

async function readStart(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    return (await handle?.read(new Uint8Array(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0))?.buffer;
  } finally {
    await handle?.close();
  }
}

/** Throws `InputError` unless a path is a regular file of at most `maxMemory` bytes. */
export async function checkPlainFile(file: string, maxMemory?: number): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw new InputError({ where: file, what: "no such file" });
  if (info.isDirectory())
    throw new InputError({ where: file, what: "this is a folder, not a file" });
  if (!info.isFile()) {
    throw new InputError({ where: file, what: "this is a device or a pipe, not a plain file" });
  }
  refuseLarge(file, info.size, maxMemory);
}

/** Reads a regular file of at most `maxMemory` bytes; throws `InputError` for anything else. */
export async function readPlainFile(file: string, maxMemory?: number): Promise<Uint8Array> {
  await checkPlainFile(file, maxMemory);
  try {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    // A view, because a copy would double the memory.
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    throw new InputError({
      where: file,
      what: `cannot be read (${(error as NodeJS.ErrnoException).code})`,
    });
  }
}

/** A pattern of paths: the folder before its first wildcard, and a test of paths relative to it. */
interface PathPattern {
  folder: string;
  fits: (file: string) => boolean;
}

/**
 * Splits a pattern such as `rigs/hero*.glb` into the folder before the first wildcard and a test of paths
 * relative to it: `*` matches within a name, `**` any folders, `?` one character. Without a wildcard the
 * pattern is the folder, and every path fits.
 */
export function splitPattern(pattern: string): PathPattern {
  const parts = pattern.replaceAll(path.sep, "/").split("/");
  const first = parts.findIndex(hasWildcard);
  if (first < 0) return { folder: pattern, fits: () => true };
  const folder = parts.slice(0, first).join("/") || (first > 0 ? "/" : ".");
  const text = parts.slice(first).map(partPattern).join("");
  const regExp = new RegExp(`^${text}$`);
  return { folder, fits: (file) => regExp.test(`${file}/`) };
}

/** Whether a path is a pattern. */
export function hasWildcard(file: string): boolean {
  return /[*?]/.test(file);
}

/** Returns the files that match a pattern, by name; hidden files and folders are skipped. */
export async function filesMatching(pattern: string): Promise<string[]> {
  const { folder, fits } = splitPattern(pattern);
  const isDeep = /\*\*|[*?].*[\\/]/.test(pattern);
  const walk = async (below: string): Promise<string[]> => {
    const at = path.join(folder, below);
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const found: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (!entry.isDirectory()) found.push(...(fits(name) ? [path.join(folder, name)] : []));
      else if (isDeep) found.push(...(await walk(name)));
    }
    return found;
  };
  return walk("");
}

function partPattern(part: string): string {
  if (part === "**") return "(?:[^/]+/)*";
  const text = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return `${text.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}/`;
}
