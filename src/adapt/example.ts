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

/** Vertices of an example stored in a model; more hardly improve the neighbors. */
const EXEMPLAR_VERTICES = 3000;

export interface Example {
  name: string;
  /** Vertices for the neighbor lookup. */
  exemplar: Exemplar;
  /** The original, then its variants. */
  samples: Sample[];
}

/**
 * Creates the samples of a rigged character; throws `InputError` with its name if it is unusable.
 *
 * @param vertices maximum vertices of the samples
 */
export async function prepareExample(
  character: Character,
  config: ModelConfig,
  vertices: number,
  variants: number,
): Promise<Example> {
  const { name } = character;
  const { measure } = config;
  const settings = { ...SAMPLE_DEFAULTS, measure, maxVertices: vertices, variants };
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
    const reason = error.message.replace(/\.$/, "");
    throw new InputError(
      `${name}: it cannot be learned from (${reason}); use characters with painted weights.`,
    );
  }
}
