import { numpy as np } from "@jax-js/jax";
import type { ModelConfig } from "../graph/model-config.ts";
import { networkInputs, predictLogWeights } from "./network.ts";
import { type ParameterSpec, recordingScope } from "./parameters.ts";

/** The parameters of a network, found by running it once on a graph of two nodes of everything. */
export function parameterSpecs(config: ModelConfig): ParameterSpec[] {
  const specs: ParameterSpec[] = [];
  const inputs = Object.fromEntries(
    Object.entries(networkInputs(config)).map(([name, { dtype, shape }]) => [
      name,
      np.zeros(
        shape.map((side) => (typeof side === "string" ? 2 : side)),
        { dtype: dtype === "int32" ? np.int32 : np.float32 },
      ),
    ]),
  );
  predictLogWeights(recordingScope(specs), inputs, config);
  return specs;
}
