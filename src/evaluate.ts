// Scores weights against an artist's: one character at a time (also in browsers), or a folder of files.

export * from "./evaluate/index.ts";
export {
  type EvaluateFolderOptions,
  evaluateFolder,
  evaluationReport,
} from "./files/evaluate-folder.ts";
