import type { Character } from "../character/character.ts";
import type { Exemplar } from "../examples/exemplars.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { prepareSamples } from "../learn/prepare-samples.ts";
import { reduceMesh } from "../learn/reduce.ts";
import type { Sample } from "../learn/sample.ts";
import { SAMPLE_DEFAULTS } from "../learn/sample-settings.ts";
import { takeRows } from "../math/arrays.ts";
import { takeWeights } from "../weights/skin-weights.ts";

/** Vertices of an example stored in the model; more hardly improve the nearest neighbors. */
const EXEMPLAR_VERTICES = 3000;

/** A rigged character to learn from. */
export interface Example {
  name: string;
  exemplar: Exemplar;
  /** The original, then its variants. */
  samples: Sample[];
}

/**
 * Prepares the training samples of a rigged character; throws an `InputError` with its name if it is unusable.
 *
 * @param vertices larger meshes are reduced to this
 */
export async function prepareExample(
  character: Character,
  config: ModelConfig,
  vertices: number,
  variants: number,
): Promise<Example> {
  const { name } = character;
  const settings = {
    ...SAMPLE_DEFAULTS,
    measure: config.measure,
    maxVertices: vertices,
    variants,
  };
  try {
    const { samples, character: prepared } = await prepareSamples(character, settings, true);
    const { vertices: kept } = await reduceMesh(prepared.mesh, EXEMPLAR_VERTICES);
    const exemplar = {
      skeleton: prepared.skeleton,
      positions: takeRows(prepared.mesh.positions, kept, 3),
      weights: takeWeights(prepared.weights, kept),
    };
    return { name, exemplar, samples };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const why = error.message.replace(/\.$/, "");
    throw new InputError(`${name}: cannot be used as an example (${why}).`);
  }
}
