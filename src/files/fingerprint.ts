import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { findNeighbor } from "../disk/open-input.ts";
import { DEFAULT_MAX_MEMORY } from "../formats/budget.ts";
import { isDataUri, type NeighborKind } from "../formats/gltf/gltf-source.ts";

/** SHA-256 of a plain file's bytes; empty where it is none, or larger than `most` bytes. */
export async function hashFile(file: string, most: number = Infinity): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size > most) return "";
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch {
    return "";
  }
  return hash.digest("hex");
}

/** Files of text that name others which become part of the output. */
const REFERRING = /\.(gltf|obj|dae)$/i;
/** Each alternative moves forward only: no text makes it look at a place more than a few times. */
const REFERENCES =
  /"uri"\s*:\s*"([^"]+)"|^mtllib[ \t]+([^\r\n]*)|<init_from>(?:\s*<ref>)?([^<]*)/gm;

/**
 * One value for all a file's output depends on, besides the options: its bytes and its neighbors'.
 *
 * Takes as long as a file wants it to: to be called where its time is limited.
 */
export async function fingerprint(
  { inputPath, skeletonPath }: { inputPath: string; skeletonPath?: string | undefined },
  maxMemory: number = DEFAULT_MAX_MEMORY,
): Promise<string> {
  const hash = createHash("sha256").update(await hashFile(inputPath, maxMemory));
  if (skeletonPath) hash.update(await hashFile(skeletonPath, maxMemory));
  const { size } = await stat(inputPath);
  if (REFERRING.test(inputPath) && size <= maxMemory) {
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
  for (const [, uri, materials, picture] of text.matchAll(REFERENCES)) {
    const name = (uri ?? materials ?? picture).trim();
    if (name === "" || isDataUri(name)) continue;
    // A name may be that of a buffer or of a picture; whichever is there counts.
    if (uri !== undefined) yield [name, "buffer"];
    yield [name, materials === undefined ? "picture" : "materials"];
  }
}
