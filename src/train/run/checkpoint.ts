import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { type ContainerArray, decodeContainer, encodeContainer } from "../../learn/container.ts";
import type { ValidationScore } from "./validate.ts";

/** The state arrays of a training step, by name. */
export type NamedTensors = Record<string, Float32Array>;

/** Everything a run needs to resume. */
export interface Checkpoint {
  progress: RunProgress;
  state: NamedTensors;
}

/** The progress of a run. */
export interface RunProgress {
  /** Hash of the options that must not change between stop and resume. */
  run: string;
  step: number;
  /** The next batch. */
  epoch: number;
  index: number;
  /** Training time, over all sessions. */
  seconds: number;
  /** Bytes of the log that belong to the steps done. */
  logLength: number;
  loss: { sum: number; count: number };
  /** Whether the current network is not validated yet. */
  unvalidated: boolean;
  best?: ValidationScore & { step: number };
}

/** Saves a checkpoint atomically. */
export function saveCheckpoint(path: string, { progress, state }: Checkpoint): void {
  const arrays: Record<string, ContainerArray> = state;
  writeWhole([[path, encodeContainer("checkpoint", progress, arrays)]], true);
}

/** Reads a checkpoint; undefined if there is none. */
export function loadCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(readFileSync(path));
  const { meta, arrays } = decodeContainer<RunProgress>("checkpoint", bytes, path);
  const counts = [meta.step, meta.epoch, meta.index, meta.seconds, meta.logLength];
  const isValid =
    counts.every(Number.isFinite) &&
    typeof meta.run === "string" &&
    Object.values(arrays).every((array) => array instanceof Float32Array);
  if (!isValid) throw new InputError(`${path} is damaged; remove it to start again.`);
  return { progress: meta, state: arrays as NamedTensors };
}
