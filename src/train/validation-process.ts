import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ModelConfig } from "../graph/model-config.ts";
import type { ValidationScore } from "./validate.ts";

/** What a validation process is told first. */
export interface ValidationSetup {
  config: ModelConfig;
  /** Files of samples of the characters to validate on. */
  files: string[];
  threads: number;
}

/** Parameters to be scored. */
export interface ValidationRequest {
  average: Float32Array;
}

export interface ValidationAnswer {
  score?: ValidationScore;
  error?: string;
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
export function startValidation(setup: ValidationSetup): Validation {
  let child = startProcess(setup);
  return {
    score: (average) =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null || child.signalCode !== null) child = startProcess(setup);
        const died = (code: number | null) =>
          reject(new Error(`startValidation: its process ended with ${code}.`));
        child.once("exit", died);
        child.once("message", ({ score, error }: ValidationAnswer) => {
          child.off("exit", died);
          if (score) resolve(score);
          else reject(new Error(error));
        });
        child.send({ average } satisfies ValidationRequest);
      }),
    close: () => {
      child.kill();
    },
  };
}

function startProcess(setup: ValidationSetup): ChildProcess {
  const source = import.meta.url.endsWith(".ts");
  const file = new URL(`./validation-worker.${source ? "ts" : "js"}`, import.meta.url);
  const child = fork(fileURLToPath(file), {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    ...(source && { execArgv: ["--import", "tsx"] }),
  });
  // It must not keep a training alive that has ended in an error.
  child.unref();
  child.send(setup);
  return child;
}
