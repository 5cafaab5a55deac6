import type { PreparedCharacter } from "../../character/character.ts";
import { scoreWeights } from "../../evaluate/score-weights.ts";
import type { GraphInput } from "../../graph/skin-graph.ts";
import { vertexCount } from "../../mesh/mesh.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { readSample, readSampleCharacter, type SampleFile } from "../data/sample-file.ts";

/** Means over the validation characters with the default preset. */
export type ValidationScore = Record<"precision" | "recall" | "l1" | "l1Raw" | "distance", number>;

/** A validation character and its network input. */
export interface ValidationCharacter {
  prepared: PreparedCharacter;
  input: GraphInput;
}

export function readValidation(files: SampleFile[]): ValidationCharacter[] {
  return files.map((file) => {
    const character = readSampleCharacter(file);
    if (!character) throw new Error(`readValidation: ${file.path} contains no character.`);
    const welded = Int32Array.from({ length: vertexCount(character.mesh) }, (_, vertex) => vertex);
    const { input } = readSample(file, 0);
    return { prepared: { character, welded, scale: 1, offset: [0, 0, 0] }, input };
  });
}

/** Scores a network on the validation characters. */
export async function validate(
  characters: ValidationCharacter[],
  predict: (character: ValidationCharacter) => Promise<SkinWeights>,
): Promise<ValidationScore> {
  const mean: ValidationScore = { precision: 0, recall: 0, l1: 0, l1Raw: 0, distance: 0 };
  for (const character of characters) {
    const score = scoreWeights(character.prepared, await predict(character));
    for (const name of Object.keys(mean) as (keyof ValidationScore)[]) {
      mean[name] += score[name] / characters.length;
    }
  }
  return mean;
}
