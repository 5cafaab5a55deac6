import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { AdaptedModel, AdaptOptions } from "../adapt/adapt.ts";
import { ADAPT_DEFAULTS, MOST_EXAMPLES } from "../adapt/adapt-defaults.ts";
import { readNotes } from "../adapt/adapt-notes.ts";
import { InputError } from "../input-error.ts";
import { modelPath } from "../io/disk/model-path.ts";
import { endingOf, RIGGED_ENDINGS } from "../io/endings.ts";
import { readCharacterFile } from "../io/node.ts";
import { ADAPT_STEP } from "../models.ts";
import type { Character } from "../weights/character.ts";
import { keepModel, recallModel } from "./adapt-cache.ts";
import { fingerprint } from "./batch-fingerprint.ts";
import { packageVersion } from "./package-root.ts";

/** Options for {@link adaptFiles}. */
export interface AdaptFilesOptions
  extends Pick<AdaptOptions, "onProgress" | "signal">,
    Partial<Record<"threads", number | undefined>> {
  provider?: AdaptOptions["provider"] | undefined;
  /** Whether to learn anew, and to keep nothing for the next time; default false. */
  noCache?: boolean | undefined;
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
  if (examples.length > MOST_EXAMPLES) {
    throw new InputError(
      `${examples.length} characters to learn from are too many; give the ${MOST_EXAMPLES} that are most alike.`,
    );
  }
  const key = cacheKey(examples, base);
  const known = options.noCache ? undefined : await recallModel(key);
  const notes = known && notesIfWhole(known);
  if (known && notes) return { model: known, notes };
  const characters = [];
  for (const { read } of examples) characters.push(await read());
  const { onProgress, signal, provider, threads } = options;
  // Loaded here: what was learned before needs nothing of it.
  const { adapt } = await import("../adapt/adapt.ts");
  const adapted = await adapt(base, characters, {
    step: await stepFor(base),
    ...{ onProgress, signal },
    ...(provider && { provider }),
    ...(threads && { threads }),
  });
  if (!options.noCache) await keepModel(key, adapted.model);
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
  const { readStep } = await import("../train/stored-step.ts");
  const config = configOf(model);
  const shipped = await readFile(modelPath(ADAPT_STEP)).catch(() => undefined);
  if (shipped && fits(readStep(shipped), config)) return shipped;
  // Loaded here: the compiler is heavy, and seldom needed.
  const { storeStep } = await import("../train/store-step.ts");
  return storeStep(config);
}
