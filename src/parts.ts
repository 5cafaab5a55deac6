// The building blocks of `skin`, for programs that run its steps themselves, such as the web page.

// The steps of the pipeline: prepare, solve, finish, restore.

export { checkCharacter, MAX_JOINTS, type PreparedCharacter } from "./character/character.ts";
export { prepareCharacter, restoreWeights, WELD_TOLERANCE } from "./character/prepare-character.ts";
export { characterSymmetry, findSymmetry, type Symmetry } from "./character/symmetry.ts";
export { commandLine } from "./command-line.ts";
export {
  FINISH_DEFAULTS,
  type FinishedWeights,
  type FinishOptions,
  finishWeights,
  MIRRORS,
  type Mirror,
} from "./finish/finish-weights.ts";
export { fixFindings } from "./fix.ts";
export { DEFAULT_METHOD, loadMethod } from "./methods/methods.ts";
export { closeSkinModel } from "./methods/network.ts";
export type { SolvedWeights, SolveOptions, Solver } from "./methods/solver.ts";
export { ADAPT_STEP, DEFAULT_NETWORK, isNetwork, MODELS } from "./models.ts";
export { OPTIONS, type OptionName, type OptionSpec, type Verb } from "./options.ts";
export { refinePrepared } from "./refine.ts";
export { BLEED_BONES, meanBleed } from "./review/bleed.ts";
export {
  BONE_DOUBT_TEXT,
  findDoubts,
  type SolvedCharacter,
  VERTEX_DOUBT_TEXT,
} from "./review/doubts.ts";
export type { CheckedPose } from "./review/measure-pose.ts";
export {
  checkPoses,
  findingText,
  POSE_FAULTS,
  type PoseCheck,
  type PoseFault,
  type PoseFinding,
  REMEDY_TEXT,
} from "./review/pose-check.ts";
export { type BoundCharacter, bindPrepared } from "./skin.ts";
export { type StageClock, startStageClock } from "./stage-clock.ts";

// Meshes and skeletons.

export type { Lists } from "./math/arrays.ts";
export { vertexNeighbors } from "./mesh/adjacency.ts";
export { triangleCount, vertexCount } from "./mesh/mesh.ts";
export { type Weld, weld, weldTriangles } from "./mesh/weld.ts";
export { type Bones, boneCount, bonesOf } from "./skeleton/bones.ts";
export { DIRECTIONS, type Direction, findUp } from "./skeleton/find-up.ts";
export { helperJoints } from "./skeleton/helper-joints.ts";
export { jointPairs, type MirrorPlane } from "./skeleton/joint-pairs.ts";
export { childrenOf, jointCount } from "./skeleton/skeleton.ts";

// Passes over weights.

export { inpaintWeights } from "./finish/inpaint-weights.ts";
export { type MirrorOptions, mirrorWeights } from "./finish/mirror-weights.ts";
export { TRANSFER_DEFAULTS } from "./finish/transfer-weights.ts";
export { influenceHistogram, type WeightRule } from "./weights/check-weights.ts";
export { rigidIslands } from "./weights/rigid-islands.ts";
export {
  readRow,
  takeWeights,
  weightsFromDense,
  weightsFromSlots,
} from "./weights/skin-weights.ts";
export { mixedRow, smoothWeights } from "./weights/smooth-weights.ts";
export {
  ADAPT_FRACTION,
  adaptInfluences,
  excludeJoints,
  pruneWeights,
  sortInfluences,
  type TrimOptions,
  trimWeights,
} from "./weights/trim-weights.ts";
export { applyLocks, type WeightLocks } from "./weights/weight-locks.ts";

// Distances.

export type { BoneDistances } from "./distance/bone-distances.ts";
export { type BoneField, boneField } from "./distance/hollow.ts";
export {
  createMeasureCache,
  DISTANCE_NAMES,
  type DistanceName,
  type MeasureCache,
  measureOnce,
  voxelizeCharacter,
} from "./distance/measure.ts";
export type { VoxelGrid } from "./voxel/voxel-grid.ts";

// Skeletons from templates and from other files.

export { type Alignment, alignSkeleton } from "./fit/align-skeleton.ts";
export type { BodyDepth } from "./fit/body-depth.ts";
export { snapToMiddle } from "./fit/body-middle.ts";
export { chooseTemplate, type LikelyKind, likelyKinds } from "./fit/choose-template.ts";
export { type FoundFront, findFront } from "./fit/find-front.ts";
export {
  CARRIED_SHARE,
  type FittedSkeleton,
  type FitWay,
  fitSkeleton,
  type SkeletonSource,
} from "./fit/fit-skeleton.ts";
export { fitTemplate, meshDepth } from "./fit/fit-template.ts";
export { type GrownChain, growChains } from "./fit/grow-chains.ts";
export { type JointDoubt, jointDoubts } from "./fit/joint-doubts.ts";
export { type PlacedTemplate, type PlaceOptions, placeTemplate } from "./fit/place-template.ts";
export { CONVENTIONS, type Convention, humanBones, nameJoints } from "./skeleton/conventions.ts";
export {
  type BodyKind,
  jointsWithRole,
  type Role,
  type RolePart,
  type SkeletonRoles,
  skeletonRoles,
} from "./skeleton/roles.ts";
export {
  type BipedOptions,
  bipedTemplate,
  type SkeletonTemplate,
  TEMPLATES,
  templateNamed,
} from "./skeleton/templates.ts";

// Poses and motions.

export { createRandom, type Random } from "./math/random.ts";
export {
  MOTIONS,
  type MotionClip,
  type MotionName,
  makeMotion,
  motionsFor,
} from "./motion/motions.ts";
export { type RandomPoseOptions, randomPose } from "./skeleton/pose.ts";
export { dualQuaternion } from "./weights/deform.ts";

// ONNX Runtime for pages that fetch its files themselves.

export {
  giveRuntimeFiles,
  type PortableProvider,
  RUNTIME_FILES,
} from "./onnx/portable-runtime.ts";
