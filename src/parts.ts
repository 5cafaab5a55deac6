// The building blocks of `skin`, for programs that do one of its steps themselves, such as the web page.

// The line of data in steps: prepare, solve, finish, restore.

export { ADAPT_STEP, DEFAULT_NETWORK, isNetwork, MODELS } from "./models.ts";
export { type BoundCharacter, bindPrepared } from "./skin.ts";
export { BLEED_BONES, meanBleed } from "./solve/bleed.ts";
export { BONE_DOUBT_TEXT, VERTEX_DOUBT_TEXT } from "./solve/doubt-text.ts";
export { findDoubts, type SolvedCharacter } from "./solve/find-doubts.ts";
export { closeSkinModel } from "./solve/heterskinnet.ts";
export { DEFAULT_METHOD, loadMethod } from "./solve/methods.ts";
export type { SolvedWeights, SolveOptions, Solver } from "./solve/solver.ts";
export { type StageClock, startStageClock } from "./stage-clock.ts";
export { characterSymmetry } from "./weights/character-symmetry.ts";
export { checkCharacter, MOST_JOINTS } from "./weights/check-character.ts";
export {
  FINISH_DEFAULTS,
  type FinishedWeights,
  type FinishOptions,
  finishWeights,
  MIRRORS,
  type Mirror,
} from "./weights/finish-weights.ts";
export { prepareCharacter, restoreWeights, WELD_TOLERANCE } from "./weights/prepare-character.ts";
export type { PreparedCharacter } from "./weights/prepared-character.ts";

// Meshes and skeletons.

export type { Lists } from "./math/lists.ts";
export { vertexNeighbours } from "./mesh/adjacency.ts";
export { triangleCount, vertexCount } from "./mesh/mesh.ts";
export { type Weld, weld, weldTriangles } from "./mesh/weld.ts";
export { type Bones, boneCount, bonesOf } from "./skeleton/bones.ts";
export { helperJoints } from "./skeleton/helper-joints.ts";
export { jointPairs, type MirrorPlane } from "./skeleton/joint-pairs.ts";
export { childrenOf, jointCount } from "./skeleton/skeleton.ts";

// Passes over weights.

export { ADAPT_SHARE, adaptInfluences } from "./weights/adapt-influences.ts";
export type { WeightRule } from "./weights/check-weights.ts";
export { excludeJoints } from "./weights/exclude-joints.ts";
export { influenceHistogram } from "./weights/influence-histogram.ts";
export { inpaintWeights } from "./weights/inpaint-weights.ts";
export { type MirrorOptions, mirrorWeights } from "./weights/mirror-weights.ts";
export { pruneWeights } from "./weights/prune-weights.ts";
export { rigidIslands } from "./weights/rigid-islands.ts";
export { mixedRow, smoothWeights } from "./weights/smooth-weights.ts";
export { sortInfluences } from "./weights/sort-influences.ts";
export { findSymmetry, type Symmetry } from "./weights/symmetry.ts";
export { TRANSFER_DEFAULTS } from "./weights/transfer-weights.ts";
export { type TrimOptions, trimWeights } from "./weights/trim-weights.ts";
export { applyLocks, type WeightLocks } from "./weights/weight-locks.ts";
export { readRow, takeWeights } from "./weights/weight-row.ts";
export { weightsFromDense } from "./weights/weights-from-dense.ts";
export { weightsFromSlots } from "./weights/weights-from-slots.ts";

// Distances.

export type { BoneDistances } from "./distance/bone-distances.ts";
export { type BoneField, boneField } from "./distance/bone-field.ts";
export { DISTANCE_NAMES, type DistanceName, voxelizeCharacter } from "./distance/measure.ts";
export { createMeasureCache, type MeasureCache, measureOnce } from "./distance/measure-cache.ts";
export type { VoxelGrid } from "./voxel/voxel-grid.ts";

// Skeletons for meshes without one, and from elsewhere.

export { TEMPLATES, templateNamed } from "./skeleton/templates/index.ts";
export type { SkeletonTemplate } from "./skeleton/templates/template.ts";
export { type Alignment, alignSkeleton } from "./voxel/align-skeleton.ts";
export type { BodyDepth } from "./voxel/body-depth.ts";
export { fitTemplate, meshDepth } from "./voxel/fit-template.ts";
export { snapToMiddle } from "./voxel/snap-to-middle.ts";

// Poses.

export { createRandom, type Random } from "./math/random.ts";
export { type RandomPoseOptions, randomPose } from "./skeleton/random-pose.ts";
export { dualQuaternion } from "./weights/dual-quaternion.ts";

// ONNX Runtime in a page that fetches its files itself.

export {
  giveRuntimeFiles,
  type PortableProvider,
  RUNTIME_FILES,
} from "./onnx/portable-runtime.ts";
