/**
 * A stage of a job, as progress and timings name it.
 *
 * @example
 * import type { Stage } from "heterskin";
 * const stage: Stage = "finish";
 * const { timings } = await skin(character);
 * console.log(timings[stage]);
 */
export type Stage =
  | "download"
  | "read"
  | "examples"
  | "learn"
  | "prepare"
  | "distances"
  | "inverse distance"
  | "heat"
  | "network"
  | "solve"
  | "finish"
  | "doubts"
  | "transfer"
  | "pictures"
  | "score"
  | "write";

/**
 * Receives the progress of a job: its current stage, and the fraction of it that is done, 0 to 1.
 *
 * @example
 * import type { OnProgress } from "heterskin";
 * const onProgress: OnProgress = (stage, fraction) => console.log(stage, fraction);
 * await skin(character, { onProgress });
 */
export type OnProgress = (stage: Stage, fraction: number) => void;

/**
 * Milliseconds by stage, in the order in which they began.
 *
 * @example
 * import type { Timings } from "heterskin";
 * const timings: Timings = (await skin(character)).timings;
 * console.log(timings.finish);
 */
export type Timings = Partial<Record<Stage, number>>;

/** Minimum interval between progress updates sent to another process (ms). */
const PROGRESS_INTERVAL = 100;

/** Drops progress updates that follow another within `interval` ms; the start and end of a stage always pass. */
export function paceProgress(
  onProgress: OnProgress,
  interval: number = PROGRESS_INTERVAL,
): OnProgress {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (stage, fraction) => {
    const now = performance.now();
    if (fraction > 0 && fraction < 1 && now - sentAt < interval) return;
    sentAt = now;
    onProgress(stage, fraction);
  };
}

/** Times the stages of a run. */
export interface StageClock {
  /** Records progress and forwards it; a new stage ends the previous one. */
  report: OnProgress;
  /** Ends the last stage and returns milliseconds by stage, in the order they began. */
  stop: () => Timings;
}

/** Starts a clock; a stage that is entered again adds to its time. */
export function startStageClock(onProgress?: OnProgress): StageClock {
  const timings: Timings = {};
  let current: Stage | undefined;
  let since = 0;
  const close = () => {
    const now = performance.now();
    if (current !== undefined) timings[current] = (timings[current] ?? 0) + now - since;
    since = now;
  };
  return {
    report(stage, fraction) {
      if (stage !== current) {
        close();
        current = stage;
      }
      onProgress?.(stage, fraction);
    },
    stop() {
      close();
      current = undefined;
      return timings;
    },
  };
}
