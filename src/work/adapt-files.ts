import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import {
  ADAPT_DEFAULTS,
  type AdaptedModel,
  type AdaptOptions,
  adapt,
  MOST_EXAMPLES,
} from "../adapt/adapt.ts";
import { readNotes } from "../adapt/adapt-notes.ts";
import { configOf, fits } from "../adapt/model-parameters.ts";
import { InputError } from "../input-error.ts";
import { modelPath } from "../io/disk/model-path.ts";
import { endingOf, RIGGED_ENDINGS } from "../io/endings.ts";
import { readCharacterFile } from "../io/node.ts";
import { ADAPT_STEP } from "../models.ts";
import { readStep } from "../train/stored-step.ts";
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
  const files = await listExamples(like);
  const key = await cacheKey(files, base);
  const known = options.noCache ? undefined : await recallModel(key);
  const notes = known && readNotes(known);
  if (known && notes) return { model: known, notes };
  const characters = [];
  for (const file of files) {
    const { character } = await readCharacterFile(file);
    characters.push({ ...character, name: path.basename(file) });
  }
  const { onProgress, signal, provider, threads } = options;
  const adapted = await adapt(base, characters, {
    step: await stepFor(base),
    ...{ onProgress, signal },
    ...(provider && { provider }),
    ...(threads && { threads }),
  });
  if (!options.noCache) await keepModel(key, adapted.model);
  return adapted;
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
  if (files.length > MOST_EXAMPLES) {
    throw new InputError(
      `${files.length} characters to learn from are too many; give the ${MOST_EXAMPLES} that are most alike.`,
    );
  }
  return files;
}

/** One value for all that an adapted model depends on. */
async function cacheKey(files: string[], base: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(packageVersion()).update(base);
  hash.update(JSON.stringify(ADAPT_DEFAULTS));
  for (const file of files) {
    hash.update(path.basename(file)).update(await fingerprint({ inputPath: file }));
  }
  return hash.digest("hex");
}

/** The training step of a model: the one the package ships where it fits, else one made for it. */
async function stepFor(model: Uint8Array): Promise<Uint8Array> {
  const config = configOf(model);
  const shipped = await readFile(modelPath(ADAPT_STEP)).catch(() => undefined);
  if (shipped && fits(readStep(shipped), config)) return shipped;
  // Loaded here: the compiler is heavy, and seldom needed.
  const { storeStep } = await import("../train/store-step.ts");
  return storeStep(config);
}
