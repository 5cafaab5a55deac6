export { type Checkpoint, loadCheckpoint, saveCheckpoint } from "./checkpoint.ts";
export { exportModel } from "./export-model.ts";
export { type PrepareOptions, prepare } from "./prepare.ts";
export { train } from "./train.ts";
export type { TrainOptions } from "./train-options.ts";
