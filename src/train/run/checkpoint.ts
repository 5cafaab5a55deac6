import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { type ContainerArray, decodeContainer, encodeContainer } from "../../learn/container.ts";
import type { ValidationScore } from "./validate.ts";

/** The arrays a training step carries from step to step, by name. */
export type NamedTensors = Record<string, Float32Array>;

/** Everything a run needs to go on as if it had never stopped. */
export interface Checkpoint {
  progress: RunProgress;
  state: NamedTensors;
}

/** Where a run stands. */
export interface RunProgress {
  /** Fingerprint of the options that must not change between stop and resume. */
  run: string;
  /** Steps done. */
  step: number;
  /** The next batch. */
  epoch: number;
  index: number;
  /** Time spent training, over all sessions. */
  seconds: number;
  /** Bytes of the log that belong to the steps done. */
  logLength: number;
  /** Running mean of the loss, for the log. */
  loss: { sum: number; count: number };
  /** Whether the network as it stands is still to be validated. */
  unvalidated: boolean;
  /** The best validation score so far, and its step. */
  best?: ValidationScore & { step: number };
}

/** Saves a checkpoint in place of the one before; a kill in between leaves the one before. */
export function saveCheckpoint(path: string, { progress, state }: Checkpoint): void {
  const arrays: Record<string, ContainerArray> = state;
  writeWhole([[path, encodeContainer("checkpoint", progress, arrays)]], true);
}

/** Reads a checkpoint; undefined where there is none. */
export function loadCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(readFileSync(path));
  const { meta, arrays } = decodeContainer<RunProgress>("checkpoint", bytes, path);
  const counts = [meta.step, meta.epoch, meta.index, meta.seconds, meta.logLength];
  const isWhole =
    counts.every(Number.isFinite) &&
    typeof meta.run === "string" &&
    Object.values(arrays).every((array) => array instanceof Float32Array);
  if (!isWhole) throw new InputError(`${path} is damaged; remove it to begin anew.`);
  return { progress: meta, state: arrays as NamedTensors };
}
