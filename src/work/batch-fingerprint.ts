import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { BatchFile } from "./batch-list.ts";

/** SHA-256 of a file's bytes; empty where it cannot be read. */
export async function hashFile(file: string): Promise<string> {
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
const REFERENCES = /"uri"\s*:\s*"([^"]+)"|^mtllib\s+(.+?)\s*$|<init_from>\s*(?:<ref>)?([^<]+)</gm;

/** One value for all a file's output depends on, besides the options: its bytes and its neighbours'. */
export async function fingerprint({
  inputPath,
  skeletonPath,
}: Pick<BatchFile, "inputPath" | "skeletonPath">): Promise<string> {
  const hash = createHash("sha256").update(await hashFile(inputPath));
  if (skeletonPath) hash.update(await hashFile(skeletonPath));
  if (REFERRING.test(inputPath)) {
    const text = await readFile(inputPath, "latin1").catch(() => "");
    for (const match of text.matchAll(REFERENCES)) {
      const name = match[1] ?? match[2] ?? match[3];
      if (name.startsWith("data:")) continue;
      hash.update(name).update(await hashFile(neighbour(inputPath, name)));
    }
  }
  return hash.digest("hex");
}

function neighbour(file: string, name: string): string {
  try {
    return path.resolve(path.dirname(file), decodeURIComponent(name));
  } catch {
    return path.resolve(path.dirname(file), name);
  }
}
