import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { decodeContainer, encodeContainer } from "../../learn/container.ts";
import type { ValidationScore } from "./validate.ts";

/** The state arrays of a training step, by name. */
export type NamedTensors = Record<string, Float32Array>;

/** The data needed to resume a run exactly. */
export interface Checkpoint {
  progress: RunProgress;
  state: NamedTensors;
}

export interface RunProgress {
  /** Hash of the options that must not change on resume. */
  run: string;
  step: number;
  /** Position of the next batch. */
  epoch: number;
  index: number;
  /** Training time over all sessions. */
  seconds: number;
  /** Bytes of the log up to this step. */
  logLength: number;
  /** Accumulated loss since the last log line. */
  loss: { sum: number; count: number };
  /** Whether the current network still has to be validated. */
  unvalidated: boolean;
  /** The best validation score and its step. */
  best?: ValidationScore & { step: number };
}

/** Replaces a checkpoint atomically. */
export function saveCheckpoint(path: string, { progress, state }: Checkpoint): void {
  writeWhole([[path, encodeContainer("checkpoint", progress, state)]], true);
}

/** Reads a checkpoint; undefined if there is none. */
export function loadCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(readFileSync(path));
  const { meta, arrays } = decodeContainer<RunProgress>("checkpoint", bytes, path);
  const counts = [meta.step, meta.epoch, meta.index, meta.seconds, meta.logLength];
  const isComplete =
    counts.every(Number.isFinite) &&
    typeof meta.run === "string" &&
    Object.values(arrays).every((array) => array instanceof Float32Array);
  if (!isComplete) throw new InputError(`${path} is damaged; delete it to start again.`);
  return { progress: meta, state: arrays as NamedTensors };
}
