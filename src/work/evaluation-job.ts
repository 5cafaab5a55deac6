import {
  type EvaluateOptions,
  evaluateCharacter,
  failedCharacter,
} from "../evaluate/evaluate-character.ts";
import type { CharacterResult } from "../evaluate/evaluation.ts";
import type { PresetName } from "../evaluate/presets.ts";
import { readCharacterFile } from "../io/node.ts";
import type { SolveOptions } from "../solve/solver.ts";
import type { ListedCharacter } from "./evaluation-list.ts";
import { createMethods } from "./evaluation-methods.ts";

/** What every character of an evaluation is done with; plain data, sent to worker processes. */
export interface EvaluationSettings {
  methods: string[];
  preset: PresetName;
  /** Whether to gather what a report needs. */
  details: boolean;
  resolution?: number | undefined;
  provider?: NonNullable<SolveOptions["provider"]> | undefined;
}

export type EvaluationJob = (
  listed: ListedCharacter,
  options?: Pick<EvaluateOptions, "onWeights">,
) => Promise<CharacterResult>;

/** Loads the methods once and returns what evaluates one character; it never throws. */
export async function createEvaluationJob(settings: EvaluationSettings): Promise<EvaluationJob> {
  const { preset, details, resolution, provider = "auto" } = settings;
  const methods = await createMethods(settings.methods, {
    // One thread each: characters run side by side, and results must not depend on how many.
    threads: 1,
    provider,
    resolution,
  });
  return async ({ id, file }, options = {}) => {
    try {
      const { character } = await readCharacterFile(file);
      // Poses are seeded by the name, which must not depend on how the file spells it.
      const named = { ...character, name: id };
      return await evaluateCharacter(named, methods, { preset, details, ...options });
    } catch (error) {
      return failedCharacter(id, settings.methods, error);
    }
  };
}
