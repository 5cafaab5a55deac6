import { numpy as np } from "@jax-js/jax";
import { featureWidths } from "../graph/build-skin-graph.ts";
import { graphInputs, type InputSpec } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { graphTensors, type Net } from "./graph-tensors.ts";
import { type HeadDropout, heterSkinNet } from "./heter-skin-net.ts";
import { logWeights } from "./loss.ts";
import { neuroSkinning } from "./neuro-skinning.ts";
import type { Tensor } from "./ops.ts";
import { type PairDropout, pairNet } from "./pair-net.ts";
import { type ParameterSpec, recordingScope, type Scope } from "./parameters.ts";
import { rigNet } from "./rig-net.ts";

/** Returns the named inputs of a network at inference. */
export function networkInputs(config: ModelConfig): Record<string, InputSpec> {
  return graphInputs(config.graph, featureWidths(config.graph));
}

/** Returns the width of each dropout mask of a training step; one row per character. */
export function dropoutWidths(config: ModelConfig): Record<string, number> {
  if (config.dropout === 0) return {};
  return config.network === "pair"
    ? { vertex: config.vertex, pair: config.pair }
    : { first: config.head[0], second: config.head[1] };
}

/**
 * Runs the network of a configuration.
 *
 * @param masks dropout masks by the names of {@link dropoutWidths}; none at inference
 * @param slotsAtOnce for inference: limits the memory of pooling over pairs, see `SegmentTensors`
 * @returns V×K logarithms of the weights of the candidate bones
 */
export function predictLogWeights(
  scope: Scope,
  inputs: Record<string, Tensor>,
  config: ModelConfig,
  masks?: Record<string, Tensor>,
  slotsAtOnce?: number,
): Tensor {
  const graph = graphTensors(inputs, slotsAtOnce);
  return logWeights(scores({ scope, graph, config }, masks), graph.pairValid);
}

function scores(net: Net, masks?: Record<string, Tensor>): Tensor {
  const head = masks as HeadDropout | undefined;
  switch (net.config.network) {
    case "pair":
      return pairNet(net, masks as PairDropout | undefined);
    case "paper":
      return heterSkinNet(net, head);
    case "rignet":
      return rigNet(net, head);
    case "neuroskinning":
      return neuroSkinning(net, head);
  }
}

/** Returns the parameters of a network, recorded by running it on a graph with all sizes 2. */
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
