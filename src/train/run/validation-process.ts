import type { ModelConfig } from "../../graph/model-config.ts";
import { openSkinModel, runSkinModel } from "../../methods/network.ts";
import { createWorkerHost } from "../../processes/worker-host.ts";
import { openSampleFile } from "../data/sample-file.ts";
import { readValidation, type ValidationScore, validate } from "./validate.ts";

/** What a validation process is told first. */
export interface ValidationSetup {
  config: ModelConfig;
  /** Files of samples of the characters to validate on. */
  files: string[];
  threads: number;
}

/** Scores parameters beside the training. */
export interface Validation {
  /** One at a time. */
  score(average: Float32Array): Promise<ValidationScore>;
  close(): void;
}

/**
 * Validates on the processor in a process of its own, so that the device that trains never waits: what is
 * measured, how the network is exported and how weights are scored are the evaluator's own.
 */
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

/** What scores one set of averaged parameters after another, inside the process. */
export async function createValidator({
  config,
  files,
  threads,
}: ValidationSetup): Promise<(average: Float32Array) => Promise<ValidationScore>> {
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
