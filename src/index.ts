// Computes skin weights for a character. `heterskin/parts` exports the building blocks.

export { InputError } from "./input-error.ts";
export { METHOD_NAMES, type MethodName } from "./methods/methods.ts";
export { SKIN_DEFAULTS, type SkinOptions, type SkinResult, skin } from "./skin.ts";

// Inputs and results.

export type { Character } from "./character/character.ts";
export type { Mesh } from "./mesh/mesh.ts";
export {
  type BoneDoubt,
  type Doubts,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "./review/doubts.ts";
export type { Skeleton } from "./skeleton/skeleton.ts";
export type { OnProgress, Stage, Timings } from "./stage-clock.ts";
export { checkWeights, type WeightProblem } from "./weights/check-weights.ts";
export type { SkinWeights } from "./weights/skin-weights.ts";

// Other operations on weights.

export {
  type MeasuredCharacter,
  type MeasureOptions,
  measureDistances,
} from "./distance/measure.ts";
export { type TransferResult, transferWeights } from "./finish/transfer-weights.ts";
export { type FixOptions, type FixResult, fix } from "./fix.ts";
export { type LodOptions, lods } from "./lods.ts";
export { type RefineOptions, type RefineResult, refine, refineWeights } from "./refine.ts";
export { forwardKinematics } from "./skeleton/pose.ts";
export { type TransferOptions, transfer } from "./transfer.ts";
export { linearBlend } from "./weights/deform.ts";
export { type QuantizedWeights, quantizeWeights } from "./weights/quantize-weights.ts";
export { limitInfluences } from "./weights/weight-locks.ts";
