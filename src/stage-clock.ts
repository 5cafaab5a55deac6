/** Receives the progress of a job: its current stage, and the fraction of it that is done, 0 to 1. */
export type OnProgress = (stage: string, fraction: number) => void;

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
  stop: () => Record<string, number>;
}

/** Starts a clock; a stage that is entered again adds to its time. */
export function startStageClock(onProgress?: OnProgress): StageClock {
  const timings: Record<string, number> = {};
  let current: string | undefined;
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
