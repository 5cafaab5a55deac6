import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { EvaluatedMethod } from "../evaluate/evaluate-character.ts";
import { existingWeights } from "../evaluate/existing-weights.ts";
import { InputError } from "../input-error.ts";
import { readCharacterFile } from "../io/node.ts";
import { loadMethod, METHOD_NAMES } from "../solve/methods.ts";
import type { SolveOptions } from "../solve/solver.ts";
import { prepareCharacter } from "../weights/prepare-character.ts";
import { modelPath } from "./default-model.ts";

/** The method that runs whatever network a model file holds. */
const NETWORK = "heterskinnet";
/** The default model, the paper's network, its rivals and its ablations. */
const NETWORKS = [
  NETWORK,
  "paper",
  "rignet",
  "neuroskinning",
  "paper-euclid",
  "paper-without-inter",
  "paper-without-smooth",
];

/** The networks whose models are in the package. */
export function shippedNetworks(): string[] {
  return NETWORKS.filter((name) => existsSync(modelPath(name)));
}

/**
 * Makes the methods a user named: a method of `loadMethod`, a shipped model by its name,
 * `model:<file.onnx>`, or `existing:<folder>` with files made by another tool.
 */
export async function createMethods(
  names: string[],
  options: SolveOptions,
): Promise<EvaluatedMethod[]> {
  if (names.length === 0) throw new InputError("No method to evaluate; give --methods a,b,...");
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice) throw new InputError(`The method "${twice}" is named twice.`);
  return Promise.all(names.map((name) => createMethod(name, options)));
}

async function createMethod(name: string, options: SolveOptions): Promise<EvaluatedMethod> {
  if (name.startsWith("existing:")) return existingMethod(name, name.slice("existing:".length));
  if (name.startsWith("model:")) {
    return networkMethod(name, NETWORK, name.slice("model:".length), options);
  }
  const model = modelPath(name);
  if (existsSync(model)) {
    return networkMethod(name, METHOD_NAMES.includes(name) ? name : NETWORK, model, options);
  }
  if (NETWORKS.includes(name)) {
    throw new InputError(
      `The method "${name}" needs the model ${path.basename(model)} in models/, which is not there; train it, or name a file with model:<file.onnx>.`,
    );
  }
  return { name, solve: await loadMethod(name), options };
}

async function networkMethod(
  name: string,
  solver: string,
  file: string,
  options: SolveOptions,
): Promise<EvaluatedMethod> {
  const model = await readFile(file).catch(() => {
    throw new InputError(`${file}: this model cannot be read; check the path.`);
  });
  // One array for all characters: sessions are kept by the identity of their bytes.
  return { name, solve: await loadMethod(solver), options: { ...options, model } };
}

async function existingMethod(name: string, folder: string): Promise<EvaluatedMethod> {
  const files = await readdir(folder).catch(() => {
    throw new InputError(`${folder}: no such folder; existing: takes a folder of rigged files.`);
  });
  const byId = new Map(files.map((file) => [path.basename(file, path.extname(file)), file]));
  return {
    name,
    timed: false,
    solve: async (prepared) => {
      const id = prepared.character.name;
      const file = byId.get(id);
      if (!file) throw new InputError(`${folder}: no file named ${id}.`);
      const { character } = await readCharacterFile(path.join(folder, file));
      return existingWeights(prepared, prepareCharacter(character));
    },
  };
}
