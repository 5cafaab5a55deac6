import type { ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { readParameters } from "./read-parameters.ts";
import { sameSettings } from "./same-settings.ts";

/**
 * The parameters of models that are of one kind with a network; `InputError` where one is not.
 *
 * @param read gives a model's bytes by its name
 */
export async function parametersLike(
  config: ModelConfig,
  names: string[],
  read: (name: string) => Uint8Array | Promise<Uint8Array>,
): Promise<Float32Array[]> {
  const list: Float32Array[] = [];
  for (const name of names) {
    const other = await readParameters(await read(name));
    if (!sameSettings(kindOf(other.config), kindOf(config))) {
      throw new InputError(
        `${name} is a network of another kind: it is built, or measures characters, differently; name models of the same preset.`,
      );
    }
    list.push(other.parameters);
  }
  return list;
}

/** What a network sees and which parameters it has, however it was trained. */
function kindOf(config: ModelConfig): Partial<ModelConfig> {
  const { temperature, heat, loss, dropout, edgeDropout, preset, ...kind } = config;
  return kind;
}
