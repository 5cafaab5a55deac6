// The line of data, whole.

export { InputError } from "./input-error.ts";
export {
  type BoundCharacter,
  bindPrepared,
  SKIN_DEFAULTS,
  type SkinOptions,
  type SkinResult,
  skin,
} from "./skin.ts";

// What it works on: a mesh and a skeleton.

export { type Mesh, triangleCount, vertexCount } from "./mesh/mesh.ts";
export { type Weld, weld, weldTriangles } from "./mesh/weld.ts";
export { type Bones, boneCount, bonesOf } from "./skeleton/bones.ts";
export { helperJoints } from "./skeleton/helper-joints.ts";
export { jointPairs, type MirrorPlane } from "./skeleton/joint-pairs.ts";
export { childrenOf, jointCount, type Skeleton } from "./skeleton/skeleton.ts";
export type { Character } from "./weights/character.ts";
export { checkCharacter, MOST_JOINTS } from "./weights/check-character.ts";
export { prepareCharacter, restoreWeights, WELD_TOLERANCE } from "./weights/prepare-character.ts";
export type { PreparedCharacter } from "./weights/prepared-character.ts";

// What it gives: weights.

export { ADAPT_SHARE, adaptInfluences } from "./weights/adapt-influences.ts";
export { checkWeights, type WeightProblem, type WeightRule } from "./weights/check-weights.ts";
export { excludeJoints } from "./weights/exclude-joints.ts";
export {
  type FinishedWeights,
  type FinishOptions,
  finishWeights,
  MIRRORS,
  type Mirror,
} from "./weights/finish-weights.ts";
export { influenceHistogram } from "./weights/influence-histogram.ts";
export { inpaintWeights } from "./weights/inpaint-weights.ts";
export { limitInfluences } from "./weights/limit-influences.ts";
export { type MirrorOptions, mirrorWeights } from "./weights/mirror-weights.ts";
export { pruneWeights } from "./weights/prune-weights.ts";
export { type QuantizedWeights, quantizeWeights } from "./weights/quantize-weights.ts";
export { rigidIslands } from "./weights/rigid-islands.ts";
export type { SkinWeights } from "./weights/skin-weights.ts";
export { smoothWeights } from "./weights/smooth-weights.ts";
export { sortInfluences } from "./weights/sort-influences.ts";
export { findSymmetry, type Symmetry } from "./weights/symmetry.ts";
export {
  TRANSFER_DEFAULTS,
  type TransferOptions,
  type TransferResult,
  transferWeights,
} from "./weights/transfer-weights.ts";
export { type TrimOptions, trimWeights } from "./weights/trim-weights.ts";
export { applyLocks, type WeightLocks } from "./weights/weight-locks.ts";
export { weightsFromDense } from "./weights/weights-from-dense.ts";
export { weightsFromSlots } from "./weights/weights-from-slots.ts";

// How it gets there: distances and methods.

export type { BoneDistances } from "./distance/bone-distances.ts";
export { type BoneField, boneField } from "./distance/bone-field.ts";
export {
  DISTANCE_NAMES,
  type DistanceName,
  type MeasuredCharacter,
  type MeasureOptions,
  measureDistances,
  voxelizeCharacter,
} from "./distance/measure.ts";
export { createMeasureCache, type MeasureCache, measureOnce } from "./distance/measure-cache.ts";
export {
  type BoneDoubt,
  type Doubts,
  findDoubts,
  type SolvedCharacter,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "./solve/find-doubts.ts";
export { DEFAULT_METHOD, loadMethod, METHOD_NAMES } from "./solve/methods.ts";
export { refineWeights } from "./solve/refine-weights.ts";
export type { SolveOptions, Solver } from "./solve/solver.ts";
export type { VoxelGrid } from "./voxel/voxel-grid.ts";

// What to do with it: poses.

export { createRandom, type Random } from "./math/random.ts";
export { forwardKinematics } from "./skeleton/forward-kinematics.ts";
export { type RandomPoseOptions, randomPose } from "./skeleton/random-pose.ts";
export { dualQuaternion } from "./weights/dual-quaternion.ts";
export { linearBlend } from "./weights/linear-blend.ts";
