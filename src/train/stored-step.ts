import type { ModelConfig } from "../graph/model-config.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import type { CompiledStep } from "./open-step.ts";

/** Name of the metadata entry in which a stored step keeps what is to be known about it. */
export const STEP_ENTRY = "step";

/** Where a parameter lies in the flat vector of a step. */
export interface ParameterPlace {
  name: string;
  offset: number;
  size: number;
}

/** A training step as a file beside a model, for programs that have no compiler. */
export interface StoredStep extends CompiledStep {
  /** The network it trains, see {@link stepConfig}. */
  config: ModelConfig;
  parameters: ParameterPlace[];
}

/** A network's configuration without what is no part of a training step. */
export function stepConfig({ temperature: _, heat: __, ...config }: ModelConfig): ModelConfig {
  return config;
}

/** Reads what `storeStep` wrote. */
export function readStep(bytes: Uint8Array): StoredStep {
  const facts: Omit<StoredStep, "model"> = JSON.parse(requireMetadata(readOnnx(bytes), STEP_ENTRY));
  return { ...facts, model: bytes };
}
