import { readFile } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { packageRoot } from "./package-root.ts";

/** The methods that run a network, with the file of the package's model for each. */
const MODEL_FILES: Record<string, string> = {
  heterskinnet: "heterskin.onnx",
  paper: "paper.onnx",
};

/**
 * The bytes of the model for a method: the user's file, or the one the package ships; nothing for a
 * method without a network.
 */
export async function loadModel(method: string, file?: string): Promise<Uint8Array | undefined> {
  const shipped = Object.hasOwn(MODEL_FILES, method) ? MODEL_FILES[method] : undefined;
  if (file && !shipped) {
    throw new InputError(`The method ${method} runs no network; leave --model away.`);
  }
  const model = file ?? (shipped && path.join(packageRoot(), "models", shipped));
  if (!model) return undefined;
  return readFile(model).catch(() => {
    throw new InputError(`${model}: this model cannot be read; check the path.`);
  });
}
