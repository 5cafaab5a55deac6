import type { PreparedCharacter } from "../../character/character.ts";
import { scoreWeights } from "../../evaluate/score-weights.ts";
import type { GraphInput } from "../../graph/skin-graph.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { readSample, readSampleCharacter, type SampleFile } from "../data/sample-file.ts";

/** Means over the validation characters, by the evaluator's default preset. */
export interface ValidationScore {
  precision: number;
  recall: number;
  l1: number;
  l1Raw: number;
  distance: number;
}

/** A validation character: the network's input, and the artist's weights. */
export interface ValidationCharacter {
  prepared: PreparedCharacter;
  input: GraphInput;
}

/** Reads the validation characters. */
export function readValidation(files: SampleFile[]): ValidationCharacter[] {
  return files.map((file) => {
    const character = readSampleCharacter(file);
    if (!character) throw new Error(`readValidation: ${file.path} has no character.`);
    const vertices = character.mesh.positions.length / 3;
    const welded = Int32Array.from({ length: vertices }, (_, vertex) => vertex);
    const { input } = readSample(file, 0);
    return { prepared: { character, welded, scale: 1, offset: [0, 0, 0] }, input };
  });
}

/** Scores a network on validation characters, with the evaluator's code. */
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
