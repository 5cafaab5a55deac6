import type { ModelConfig } from "../../graph/model-config.ts";
import { openSkinModel, runSkinModel } from "../../methods/network.ts";
import { createWorkerHost } from "../../processes/worker-host.ts";
import { openSampleFile } from "../data/sample-file.ts";
import { readValidation, type ValidationScore, validate } from "./validate.ts";

/** Settings of a validation process. */
export interface ValidationSetup {
  config: ModelConfig;
  /** Sample files of the validation characters. */
  files: string[];
  threads: number;
}

/** Scores parameters during training. */
export interface Validation {
  /** Not reentrant. */
  score(average: Float32Array): Promise<ValidationScore>;
  close(): void;
}

/** Starts a process that validates on the CPU, so that the training device never waits. */
export function startValidation(settings: ValidationSetup): Validation {
  const host = createWorkerHost<Float32Array, ValidationScore>({
    kind: "process",
    module: "./validation-process",
    name: "createValidator",
    settings,
    from: import.meta.url,
  });
  return { score: host.run, close: host.stop };
}

/** Returns the scoring function of the process. */
export async function createValidator(
  setup: ValidationSetup,
): Promise<(average: Float32Array) => Promise<ValidationScore>> {
  const { config, files, threads } = setup;
  const { exportModel } = await import("../step/export-model.ts");
  const characters = readValidation(files.map(openSampleFile));
  return async (average) => {
    const bytes = await exportModel(config, average);
    const model = await openSkinModel(bytes, { provider: "cpu", threads });
    try {
      return await validate(characters, ({ input }) => runSkinModel(model, input));
    } finally {
      await model.session.dispose();
    }
  };
}
