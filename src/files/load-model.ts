import { stat } from "node:fs/promises";
import path from "node:path";
import { modelPath } from "../disk/character-files.ts";
import { readPlainFile } from "../disk/open-input.ts";
import { InputError } from "../input-error.ts";
import { isNetwork } from "../models.ts";

/** Source of the models that the package does not include. */
const REPOSITORY = "github.com/heterskin/heterskin";

/** Models by path. Sessions are cached by the identity of these arrays. */
const cache = new Map<string, { state: string; bytes: Uint8Array }>();

/** Returns the model for a method: the given file or the shipped one; undefined if the method has no network. */
export async function loadModel(method: string, file?: string): Promise<Uint8Array | undefined> {
  if (!isNetwork(method)) {
    if (file) {
      throw new InputError({
        what: `the method ${method} runs no network`,
        remedy: { option: "model", advice: "omit the model" },
      });
    }
    return undefined;
  }
  const name = file ?? method;
  const resolved = path.resolve(isNetwork(name) ? modelPath(name) : name);
  const bytes = await readCached(resolved).catch(() => undefined);
  if (!bytes) {
    throw new InputError(
      file
        ? `${file}: this model cannot be read; check the path.`
        : `The package does not include the model for ${method}; get models/${path.basename(resolved)} from ${REPOSITORY}, or choose another model.`,
    );
  }
  return bytes;
}

/** Reads a file; returns the same array until the file changes. */
async function readCached(file: string): Promise<Uint8Array> {
  const { mtimeMs, size, ino } = await stat(file);
  const state = `${mtimeMs} ${size} ${ino}`;
  const cached = cache.get(file);
  if (cached?.state === state) return cached.bytes;
  const bytes = await readPlainFile(file);
  cache.set(file, { state, bytes });
  return bytes;
}

/** Reads a model by its path, or by the name of a shipped one. */
export async function readModel(file: string): Promise<Uint8Array> {
  const bytes = await readPlainFile(file).catch(() =>
    readPlainFile(modelPath(file)).catch(() => undefined),
  );
  if (!bytes) {
    throw new InputError(`${file}: this model cannot be read; name an .onnx file, or heterskin.`);
  }
  return bytes;
}
