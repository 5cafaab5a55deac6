import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { modelPath } from "../disk/character-files.ts";
import { InputError } from "../input-error.ts";
import { isNetwork } from "../models.ts";

/** Where models are that are too large, or too seldom wanted, for the package. */
const REPOSITORY = "github.com/heterskin/heterskin";

/** What was read before: a model is opened once for one array, however many characters it serves. */
const known = new Map<string, { state: string; bytes: Uint8Array }>();

/**
 * The bytes of the model for a method: the user's file, or the one the package ships; nothing for a
 * method without a network.
 */
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
  const place = path.resolve(
    file === undefined || isNetwork(file) ? modelPath(file ?? method) : file,
  );
  const bytes = await readOnce(place).catch(() => undefined);
  if (!bytes) {
    throw new InputError(
      file
        ? `${file}: this model cannot be read; check the path.`
        : `The package has no model for ${method}; get models/${path.basename(place)} from ${REPOSITORY}, or name another model.`,
    );
  }
  return bytes;
}

/** The bytes of a file, the same array until it is written anew: a warm process may outlive a model. */
async function readOnce(place: string): Promise<Uint8Array> {
  const { mtimeMs, size, ino } = await stat(place);
  const state = `${mtimeMs} ${size} ${ino}`;
  const before = known.get(place);
  if (before?.state === state) return before.bytes;
  const bytes = await readFile(place);
  known.set(place, { state, bytes });
  return bytes;
}

/** The bytes of a model by its path, or by the name of one that the package has. */
export async function readModel(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch(() => readFile(modelPath(file)).catch(() => undefined));
  if (!bytes) {
    throw new InputError(`${file}: this model cannot be read; give a file.onnx, or heterskin.`);
  }
  return new Uint8Array(bytes);
}
