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
  fractionWithinK,
  meanL1,
  oracleAtK,
  type PrecisionRecall,
  precisionRecall,
  vertexL1,
} from "./metrics.ts";
export { findPreset, PRESET_NAMES, type Preset, type PresetName, thinWeights } from "./presets.ts";
export {
  type ReportPicture,
  type ReportRow,
  type ReportSection,
  reportHtml,
} from "./report/report-html.ts";
export { type ResultJson, resultCsv, resultJson } from "./result-json.ts";
export {
  type CharacterScore,
  FAILED_ABOVE,
  type ScoreOptions,
  scoreWeights,
} from "./score-weights.ts";
export { type Anova, bootstrapInterval, type Interval, oneWayAnova } from "./statistics.ts";
export { type Comparison, compare, hasFailed, type MethodSummary, summarize } from "./summary.ts";
export { type VisibleFaults, visibleFaults } from "./visible-faults.ts";
