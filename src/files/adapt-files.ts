import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { AdaptedModel, AdaptOptions } from "../adapt/adapt.ts";
import { ADAPT_DEFAULTS, MAX_EXAMPLES, readNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import { modelPath, readCharacterFile } from "../disk/character-files.ts";
import { checkPlainFile } from "../disk/open-input.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { endingOf, RIGGED_ENDINGS } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";
import { ADAPT_STEP } from "../models.ts";
import { cacheFolder } from "./cache-folder.ts";
import { fingerprint } from "./fingerprint.ts";
import { packageVersion } from "./package-root.ts";

/** Options for {@link adaptFiles}. */
export interface AdaptFilesOptions extends Pick<AdaptOptions, "onProgress" | "signal"> {
  provider?: AdaptOptions["provider"] | undefined;
  threads?: number | undefined;
  /** Whether to reuse and to store adapted models; default true. */
  cache?: boolean | undefined;
}

/** A rigged character to learn from. */
export interface ExampleSource {
  /** Changes with everything that can be learned from the character. */
  fingerprint: string;
  read: () => Promise<Character>;
}

/**
 * Adapts a model to the style of rigged files; reuses the user's cache for files of the same content.
 *
 * @param like files, and folders of files
 * @param base bytes of the model
 */
export async function adaptFiles(
  like: string[],
  base: Uint8Array,
  options: AdaptFilesOptions = {},
): Promise<AdaptedModel> {
  return adaptExamples(await fileExamples(like), base, options);
}

/** {@link adaptFiles} for characters from any source. */
export async function adaptExamples(
  examples: ExampleSource[],
  base: Uint8Array,
  options: AdaptFilesOptions = {},
): Promise<AdaptedModel> {
  if (examples.length > MAX_EXAMPLES) {
    throw new InputError(
      `${examples.length} characters to learn from are too many; give the ${MAX_EXAMPLES} that are most alike.`,
    );
  }
  const key = cacheKey(examples, base);
  const cached = options.cache === false ? undefined : await recallModel(key);
  const cachedNotes = cached && notesIfValid(cached);
  if (cached && cachedNotes) return { model: cached, notes: cachedNotes };
  const characters = [];
  for (const { read } of examples) characters.push(await read());
  const { onProgress, signal, provider, threads } = options;
  // Loaded on demand: a cached model does not need it.
  const { adapt } = await import("../adapt/adapt.ts");
  const adapted = await adapt(base, characters, {
    step: await stepFor(base),
    onProgress,
    signal,
    ...(provider && { provider }),
    ...(threads && { threads }),
  });
  if (options.cache !== false) await keepModel(key, adapted.model);
  return adapted;
}

/** Reads the notes of a cached model; undefined if the file is damaged. */
function notesIfValid(model: Uint8Array): AdaptedModel["notes"] | undefined {
  try {
    return readNotes(model);
  } catch {
    return undefined;
  }
}

/** Returns rigged files as examples; folders stand for all their rigged files, sorted by name. */
export async function fileExamples(like: string[]): Promise<ExampleSource[]> {
  const files = await listExamples(like);
  return Promise.all(
    files.map(async (file) => ({
      fingerprint: path.basename(file) + (await fingerprint({ inputPath: file })),
      read: async () => {
        const { character } = await readCharacterFile(file);
        return { ...character, name: path.basename(file) };
      },
    })),
  );
}

async function listExamples(like: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const source of like) {
    const info = await stat(source).catch(() => undefined);
    if (!info) throw new InputError(`${source}: no such file or folder to learn from.`);
    if (!info.isDirectory()) {
      await checkPlainFile(source);
      files.push(source);
      continue;
    }
    const names = await readdir(source);
    const rigged = names.filter((name) => RIGGED_ENDINGS.includes(endingOf(name)));
    if (rigged.length === 0) throw new InputError(`${source}: no rigged characters in it.`);
    files.push(...rigged.sort().map((name) => path.join(source, name)));
  }
  return files;
}

/** Returns a hash of everything that an adapted model depends on. */
export function cacheKey(examples: ExampleSource[], base: Uint8Array): string {
  const hash = createHash("sha256").update(packageVersion()).update(base);
  hash.update(JSON.stringify(ADAPT_DEFAULTS));
  for (const { fingerprint } of examples) hash.update(fingerprint);
  return hash.digest("hex");
}

/** Returns the training step of a model: the shipped one if it fits, otherwise one compiled for it. */
async function stepFor(model: Uint8Array): Promise<Uint8Array> {
  const { configOf, fits } = await import("../adapt/model-parameters.ts");
  const { readStep } = await import("../learn/step.ts");
  const config = configOf(model);
  const shipped = await readFile(modelPath(ADAPT_STEP)).catch(() => undefined);
  if (shipped && fits(readStep(shipped), config)) return shipped;
  // Loaded on demand: the compiler is large and rarely needed.
  const { storeStep } = await import("../train/step/store-step.ts");
  return storeStep(config);
}

/** Maximum size of the cache; the least recently used models are removed first. */
const MAX_BYTES = 200 * 2 ** 20;

const ENDING = ".onnx";

/** Reads an adapted model from the cache and marks it as used. */
export async function recallModel(key: string): Promise<Uint8Array | undefined> {
  const file = path.join(cacheFolder(), key + ENDING);
  const bytes = await readFile(file).catch(() => undefined);
  const now = new Date();
  if (bytes) await utimes(file, now, now).catch(() => undefined);
  return bytes;
}

/** Writes an adapted model to the cache, if it can be written, and removes the oldest beyond `maxBytes`. */
export async function keepModel(
  key: string,
  model: Uint8Array,
  maxBytes: number = MAX_BYTES,
): Promise<void> {
  const folder = cacheFolder();
  try {
    await mkdir(folder, { recursive: true });
    writeWhole([[path.join(folder, key + ENDING), model]]);
    await removeOldest(folder, maxBytes);
  } catch {
    // The cache is optional: without it the next run learns again.
  }
}

async function removeOldest(folder: string, maxBytes: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      // Another process may remove one meanwhile.
      const { size = 0, mtimeMs = 0 } = (await stat(file).catch(() => undefined)) ?? {};
      return { file, size, mtimeMs };
    }),
  );
  let total = 0;
  for (const { file, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size;
    if (total > maxBytes) await rm(file, { force: true });
  }
}
