// Weights for a character: what most programs need. `heterskin/parts` has the building blocks.

export { InputError } from "./input-error.ts";
export { SKIN_DEFAULTS, type SkinOptions, type SkinResult, skin } from "./skin.ts";
export { METHOD_NAMES } from "./solve/methods.ts";

// What it works on, and what it gives.

export type { Mesh } from "./mesh/mesh.ts";
export type { Skeleton } from "./skeleton/skeleton.ts";
export {
  type BoneDoubt,
  type Doubts,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "./solve/find-doubts.ts";
export type { Character } from "./weights/character.ts";
export { checkWeights, type WeightProblem } from "./weights/check-weights.ts";
export type { SkinWeights } from "./weights/skin-weights.ts";

// What else can be done with weights.

export {
  type MeasuredCharacter,
  type MeasureOptions,
  measureDistances,
} from "./distance/measure.ts";
export { forwardKinematics } from "./skeleton/forward-kinematics.ts";
export { refineWeights } from "./solve/refine-weights.ts";
export { limitInfluences } from "./weights/limit-influences.ts";
export { linearBlend } from "./weights/linear-blend.ts";
export { type QuantizedWeights, quantizeWeights } from "./weights/quantize-weights.ts";
export {
  type TransferOptions,
  type TransferResult,
  transferWeights,
} from "./weights/transfer-weights.ts";
