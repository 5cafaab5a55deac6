import type { ModelConfig } from "../../graph/model-config.ts";
import { type ParameterSlot, STEP_ENTRY, stepConfig } from "../../learn/step.ts";
import { parameterSpecs } from "../../network/network.ts";
import { replaceParameters } from "../../onnx/onnx-reader.ts";
import { compileStep } from "./train-step.ts";

/** Compiles a network's training step for the CPU into one file; see `readStep`. */
export async function storeStep(config: ModelConfig): Promise<Uint8Array> {
  const trained = stepConfig(config);
  const { model, ...facts } = await compileStep(trained, false);
  const range = ({ name, offset, size }: ParameterSlot): ParameterSlot => ({
    name,
    offset,
    size,
  });
  const parameters = parameterSpecs(trained).map(range);
  const text = JSON.stringify({ ...facts, config: trained, parameters });
  return replaceParameters(model, {}, { [STEP_ENTRY]: text });
}
