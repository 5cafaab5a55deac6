export { meanBleed, vertexBleed } from "../review/bleed.ts";
export {
  type DeformationError,
  deformationError,
  poseError,
  scoringPoses,
} from "./deformation-error.ts";
export { type Diagnosis, diagnose, diagnosisSentence } from "./diagnose.ts";
export {
  type CharacterResult,
  type EvaluatedMethod,
  type EvaluateOptions,
  type Evaluation,
  evaluateCharacter,
  failedCharacter,
  type MethodResult,
  TOP_K,
  type TopK,
  type Traits,
  traitsOf,
} from "./evaluate-character.ts";
export { existingWeights } from "./existing-weights.ts";
export {
  findPreset,
  fractionWithinK,
  meanL1,
  oracleAtK,
  PRESET_NAMES,
  type PrecisionRecall,
  type Preset,
  type PresetName,
  precisionRecall,
  thinWeights,
  vertexL1,
} from "./metrics.ts";
export {
  type ReportPicture,
  type ReportRow,
  type ReportSection,
  reportHtml,
} from "./report/report-html.ts";
export {
  type CharacterScore,
  FAILED_ABOVE,
  type ScoreOptions,
  scoreWeights,
} from "./score-weights.ts";
export { type Anova, bootstrapInterval, type Interval, oneWayAnova } from "./statistics.ts";
export {
  type Comparison,
  compare,
  hasFailed,
  type MethodSummary,
  type ResultJson,
  resultCsv,
  resultJson,
  summarize,
} from "./summary.ts";
export { type VisibleFaults, visibleFaults } from "./visible-faults.ts";
