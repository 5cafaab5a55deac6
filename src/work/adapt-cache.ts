import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { writeWhole } from "../io/disk/write-whole.ts";

/** Adapted models may take so much of the user's disk; those used least lately go first. */
const MOST_BYTES = 200 * 2 ** 20;

const ENDING = ".onnx";
const GONE = { size: 0, mtimeMs: 0 };

/** Where adapted models are kept: the system's place for what a program can make again. */
export function adaptCacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const caches =
    XDG_CACHE_HOME ||
    (process.platform === "win32" && LOCALAPPDATA) ||
    path.join(homedir(), ".cache");
  return path.join(caches, "heterskin");
}

/** An adapted model that was kept; nothing where there is none. */
export async function recallModel(key: string): Promise<Uint8Array | undefined> {
  const file = path.join(adaptCacheFolder(), key + ENDING);
  const bytes = await readFile(file).catch(() => undefined);
  const now = new Date();
  if (bytes) await utimes(file, now, now).catch(() => undefined);
  return bytes;
}

/** Keeps an adapted model, and lets go of the oldest; where nothing can be written, nothing is kept. */
export async function keepModel(
  key: string,
  model: Uint8Array,
  most: number = MOST_BYTES,
): Promise<void> {
  const folder = adaptCacheFolder();
  try {
    await mkdir(folder, { recursive: true });
    writeWhole([[path.join(folder, key + ENDING), model]]);
    await forgetOldest(folder, most);
  } catch {
    // A cache is a help: without it the next run learns again.
  }
}

async function forgetOldest(folder: string, most: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      // Another program may take one away meanwhile.
      const { size, mtimeMs } = (await stat(file).catch(() => undefined)) ?? GONE;
      return { file, size, mtimeMs };
    }),
  );
  let total = 0;
  for (const { file, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size;
    if (total > most) await rm(file, { force: true });
  }
}
