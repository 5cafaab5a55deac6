import type { ModelConfig } from "../../graph/model-config.ts";
import { STEP_ENTRY, stepConfig } from "../../learn/step.ts";
import { parameterSpecs } from "../../network/network.ts";
import { replaceParameters } from "../../onnx/replace-parameters.ts";
import { compileStep } from "./train-step.ts";

/** Compiles a network's training step for CPUs into one file; see `readStep`. */
export async function storeStep(config: ModelConfig): Promise<Uint8Array> {
  const trained = stepConfig(config);
  const { model, ...facts } = await compileStep(trained, false);
  const parameters = parameterSpecs(trained).map(({ name, offset, size }) => ({
    name,
    offset,
    size,
  }));
  const text = JSON.stringify({ ...facts, config: trained, parameters });
  return replaceParameters(model, {}, { [STEP_ENTRY]: text });
}
