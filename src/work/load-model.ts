import { readFile } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { modelPath } from "../io/disk/model-path.ts";
import { isNetwork } from "../models.ts";

/** What was read before: a model is opened once for one array, however many characters it serves. */
const known = new Map<string, Uint8Array>();

/**
 * The bytes of the model for a method: the user's file, or the one the package ships; nothing for a
 * method without a network.
 */
export async function loadModel(method: string, file?: string): Promise<Uint8Array | undefined> {
  if (!isNetwork(method)) {
    if (file) throw new InputError(`The method ${method} runs no network; leave --model away.`);
    return undefined;
  }
  const place = path.resolve(file ?? modelPath(method));
  const bytes = known.get(place) ?? (await readFile(place).catch(() => undefined));
  if (!bytes) {
    throw new InputError(
      file
        ? `${file}: this model cannot be read; check the path.`
        : `There is no model for ${method} in this package; give one with --model file.onnx.`,
    );
  }
  known.set(place, bytes);
  return bytes;
}
