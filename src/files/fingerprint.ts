import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { findNeighbor } from "../disk/open-input.ts";
import { DEFAULT_MAX_MEMORY } from "../formats/budget.ts";
import { isDataUri, type NeighborKind } from "../formats/gltf/gltf-source.ts";

/** Hashes of the input and the output of a bind. */
export interface FileHashes {
  /** See {@link fingerprint}. */
  input: string;
  /** SHA-256 of the output; empty if there is none. */
  bytes: string;
}

/** Returns the SHA-256 of a file, or "" if it cannot be read or is larger than `maxBytes`. */
export async function hashFile(file: string, maxBytes: number = Infinity): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size > maxBytes) return "";
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch {
    return "";
  }
  return hash.digest("hex");
}

const REFERRING = /\.(gltf|obj|dae)$/i;
/** Matches in linear time on any text, because no alternative can backtrack far. */
const REFERENCES =
  /"uri"\s*:\s*"([^"]+)"|^mtllib[ \t]+([^\r\n]*)|<init_from>(?:\s*<ref>)?([^<]*)/gm;

/**
 * Returns a hash of a file, its skeleton file and the files that it refers to: everything except the options
 * that its output depends on.
 *
 * A hostile file can make this slow, so call it under a time limit.
 */
export async function fingerprint(
  { inputPath, skeletonPath }: { inputPath: string; skeletonPath?: string | undefined },
  maxMemory: number = DEFAULT_MAX_MEMORY,
): Promise<string> {
  const hash = createHash("sha256").update(await hashFile(inputPath, maxMemory));
  if (skeletonPath) hash.update(await hashFile(skeletonPath, maxMemory));
  const info = await stat(inputPath);
  if (REFERRING.test(inputPath) && info.isFile() && info.size <= maxMemory) {
    const known = new Set<string>();
    for (const [name, kind] of references(await readFile(inputPath, "latin1"))) {
      if (known.has(`${kind} ${name}`)) continue;
      known.add(`${kind} ${name}`);
      const folder = path.dirname(inputPath);
      const file = await findNeighbor(folder, path.basename(inputPath), name, kind).catch(
        () => undefined,
      );
      hash.update(name).update(file ? await hashFile(file, maxMemory) : "");
    }
  }
  return hash.digest("hex");
}

function* references(text: string): Generator<[name: string, kind: NeighborKind]> {
  for (const [, uri, materials, image] of text.matchAll(REFERENCES)) {
    const name = (uri ?? materials ?? image).trim();
    if (name === "" || isDataUri(name)) continue;
    // A URI may name a buffer or an image; whichever exists counts.
    if (uri !== undefined) yield [name, "buffer"];
    yield [name, materials === undefined ? "picture" : "materials"];
  }
}
