import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { prepareCharacter } from "../character/prepare-character.ts";
import { modelPath, readCharacterFile } from "../disk/character-files.ts";
import {
  type CharacterResult,
  type EvaluatedMethod,
  type EvaluateOptions,
  evaluateCharacter,
  failedCharacter,
} from "../evaluate/evaluate-character.ts";
import { existingWeights } from "../evaluate/existing-weights.ts";
import type { PresetName } from "../evaluate/metrics.ts";
import { InputError } from "../input-error.ts";
import { loadMethod } from "../methods/methods.ts";
import type { SolveOptions } from "../methods/solver.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName } from "../models.ts";
import { loadModel } from "./model-files.ts";

/** A character to evaluate. */
export interface ListedCharacter {
  id: string;
  file: string;
}

/** How the characters of an evaluation are scored; plain data, sent to worker processes. */
export interface EvaluationSettings {
  methods: string[];
  preset: PresetName;
  details: boolean;
  resolution?: number | undefined;
  provider?: NonNullable<SolveOptions["provider"]> | undefined;
}

export type EvaluationJob = (
  listed: ListedCharacter,
  options?: Pick<EvaluateOptions, "onWeights">,
) => Promise<CharacterResult>;

/** Loads the methods and returns a function that evaluates one character; it never throws. */
export async function createEvaluationJob(settings: EvaluationSettings): Promise<EvaluationJob> {
  const { preset, details, resolution, provider = "auto" } = settings;
  const names = settings.methods;
  if (names.length === 0)
    throw new InputError("There is no method to evaluate; name at least one.");
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice) throw new InputError(`The method "${twice}" is named twice.`);
  // One thread each: characters run in parallel, and results must not depend on the number of threads.
  const solveOptions = { threads: 1, provider, resolution };
  const methods = await Promise.all(names.map((name) => createMethod(name, solveOptions)));
  return async ({ id, file }, options = {}) => {
    try {
      const { character } = await readCharacterFile(file);
      // The name seeds the poses, so it must not depend on the spelling in the file.
      const named = { ...character, name: id };
      return await evaluateCharacter(named, methods, { preset, details, ...options });
    } catch (error) {
      return failedCharacter(id, settings.methods, error);
    }
  };
}

/**
 * Creates a method by name: a method of `loadMethod`, a shipped model, `model:<file.onnx>`, or
 * `existing:<folder>` with files made by another tool.
 */
async function createMethod(name: string, options: SolveOptions): Promise<EvaluatedMethod> {
  if (name.startsWith("existing:")) return existingMethod(name, name.slice("existing:".length));
  const given = name.startsWith("model:") ? name.slice("model:".length) : undefined;
  if (given === undefined && isNetwork(name) && !existsSync(modelPath(name))) {
    throw new InputError(
      `The method "${name}" needs models/${MODELS[methodName(name)].file}, which does not exist; train it, or name a file with model:<file.onnx>.`,
    );
  }
  // All models run the same way, except that published networks run without our additions.
  const isRun = given !== undefined || isNetwork(name);
  const isRival = given === undefined && isNetwork(name) && MODELS[methodName(name)].isPublished;
  const solve = await loadMethod(isRival ? "paper" : isRun ? DEFAULT_NETWORK : name);
  // One array for all characters: sessions are cached by the identity of their bytes.
  const model = isRun ? await loadModel(DEFAULT_NETWORK, given ?? modelPath(name)) : undefined;
  return { name, solve, options: { ...options, model } };
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
      return { weights: existingWeights(prepared, prepareCharacter(character)) };
    },
  };
}
