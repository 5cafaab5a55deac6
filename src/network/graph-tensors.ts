import type { ModelConfig } from "../graph/model-config.ts";
import { CHUNK } from "../graph/segments.ts";
import type { Tensor } from "./ops.ts";
import type { Scope } from "./parameters.ts";
import type { SegmentTensors } from "./segment-pool.ts";

/** The arguments of a network. */
export interface Net {
  scope: Scope;
  graph: GraphTensors;
  config: ModelConfig;
}

/** The inputs of a network as tensors. */
export interface GraphTensors {
  vertexFeatures: Tensor;
  boneFeatures: Tensor;
  /** V×K×Fp; absent if the feature set has no pair features. */
  pairFeatures?: Tensor;
  pairValid: Tensor;
  ring: Tensor;
  ball: Tensor;
  boneRing: Tensor;
  /** V×K×slots pairs of the same bone at neighboring vertices, and V×K their number; see `pairRing`. */
  pairRing?: Tensor;
  pairShared?: Tensor;
  bonePairs: SegmentTensors;
  partVertices: SegmentTensors;
  characterParts: SegmentTensors;
  characterBones: SegmentTensors;
}

/**
 * Groups named tensors into a graph.
 *
 * @param slotsAtOnce for inference of one character: limits the memory of pooling over pairs, see
 *   {@link SegmentTensors}
 */
export function graphTensors(inputs: Record<string, Tensor>, slotsAtOnce?: number): GraphTensors {
  const partition = (name: string, atOnce = slotsAtOnce && CHUNK): SegmentTensors => ({
    rowChunk: inputs[`${name}.rowChunk`],
    chunkRows: inputs[`${name}.chunkRows`],
    chunkValid: inputs[`${name}.chunkValid`],
    chunkGroup: inputs[`${name}.chunkGroup`],
    groupChunks: inputs[`${name}.groupChunks`],
    groupValid: inputs[`${name}.groupValid`],
    inverseCount: inputs[`${name}.inverseCount`],
    ...(atOnce && { slotsAtOnce: atOnce }),
  });
  return {
    vertexFeatures: inputs.vertexFeatures,
    boneFeatures: inputs.boneFeatures,
    ...(inputs.pairFeatures ? { pairFeatures: inputs.pairFeatures } : {}),
    pairValid: inputs.pairValid,
    ring: inputs.ring,
    ball: inputs.ball,
    boneRing: inputs.boneRing,
    ...(inputs.pairRing ? { pairRing: inputs.pairRing, pairShared: inputs.pairShared } : {}),
    bonePairs: partition("bonePairs", slotsAtOnce),
    partVertices: partition("partVertices"),
    characterParts: { ...partition("characterParts"), isWhole: slotsAtOnce !== undefined },
    characterBones: { ...partition("characterBones"), isWhole: slotsAtOnce !== undefined },
  };
}
