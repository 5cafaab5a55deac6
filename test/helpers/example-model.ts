import { startJax } from "../../src/compile/jax.ts";
import { parameterSpecs } from "../../src/network/network.ts";
import { initialParameters } from "../../src/network/parameters.ts";
import { exportModel } from "../../src/train/step/export-model.ts";
import { storeStep } from "../../src/train/step/store-step.ts";
import { smallConfig } from "./example-config.ts";

/** A small untrained network, and its training step. */
export async function exampleModel(): Promise<{ model: Uint8Array; step: Uint8Array }> {
  await startJax();
  const config = smallConfig("default");
  const start = initialParameters(parameterSpecs(config), 3);
  return { model: await exportModel(config, start, {}, true), step: await storeStep(config) };
}
