import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import type { AdaptedModel, AdaptOptions } from "../adapt/adapt.ts";
import { ADAPT_DEFAULTS, MAX_EXAMPLES, readNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import { modelPath, readCharacterFile } from "../disk/character-files.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { endingOf, RIGGED_ENDINGS } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";
import { ADAPT_STEP } from "../models.ts";
import { fingerprint } from "./fingerprint.ts";
import { packageVersion } from "./package-root.ts";

/** Options for {@link adaptFiles}. */
export interface AdaptFilesOptions
  extends Pick<AdaptOptions, "onProgress" | "signal">,
    Partial<Record<"threads", number | undefined>> {
  provider?: AdaptOptions["provider"] | undefined;
  /** Whether to learn anew, and to keep nothing for the next time; default false. */
  cache?: boolean | undefined;
}

/** A rigged character to learn from: how to know it again, and how to get it. */
export interface ExampleSource {
  /** Differs where anything that can be learned from it does. */
  fingerprint: string;
  read: () => Promise<Character>;
}

/**
 * Teaches a model the style of rigged files, or takes from the user's cache what it was taught before by
 * files of the same content.
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

/** {@link adaptFiles} on characters from anywhere. */
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
  const known = options.cache === false ? undefined : await recallModel(key);
  const notes = known && notesIfWhole(known);
  if (known && notes) return { model: known, notes };
  const characters = [];
  for (const { read } of examples) characters.push(await read());
  const { onProgress, signal, provider, threads } = options;
  // Loaded here: what was learned before needs nothing of it.
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

/** What a kept model has learned from; nothing where it is damaged, as after a machine that failed. */
function notesIfWhole(model: Uint8Array): AdaptedModel["notes"] | undefined {
  try {
    return readNotes(model);
  } catch {
    return undefined;
  }
}

/** Rigged files as examples; of folders all of them, by name. */
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

/** The files, those of folders by name. */
async function listExamples(like: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const place of like) {
    const info = await stat(place).catch(() => undefined);
    if (!info) throw new InputError(`${place}: no such file or folder to learn from.`);
    if (!info.isDirectory()) files.push(place);
    else {
      const names = (await readdir(place)).filter((name) =>
        RIGGED_ENDINGS.includes(endingOf(name)),
      );
      if (names.length === 0) throw new InputError(`${place}: no rigged characters in it.`);
      files.push(...names.sort().map((name) => path.join(place, name)));
    }
  }
  return files;
}

/** One value for all that an adapted model depends on. */
export function cacheKey(examples: ExampleSource[], base: Uint8Array): string {
  const hash = createHash("sha256").update(packageVersion()).update(base);
  hash.update(JSON.stringify(ADAPT_DEFAULTS));
  for (const { fingerprint } of examples) hash.update(fingerprint);
  return hash.digest("hex");
}

/** The training step of a model: the one the package ships where it fits, else one made for it. */
async function stepFor(model: Uint8Array): Promise<Uint8Array> {
  const { configOf, fits } = await import("../adapt/model-parameters.ts");
  const { readStep } = await import("../learn/step.ts");
  const config = configOf(model);
  const shipped = await readFile(modelPath(ADAPT_STEP)).catch(() => undefined);
  if (shipped && fits(readStep(shipped), config)) return shipped;
  // Loaded here: the compiler is heavy, and seldom needed.
  const { storeStep } = await import("../train/step/train-step.ts");
  return storeStep(config);
}

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
