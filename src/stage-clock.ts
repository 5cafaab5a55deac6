/** Told how far a stage of a job is, 0 to 1. */
export type OnProgress = (stage: string, fraction: number) => void;

/** Milliseconds between two words about the same stage, for whoever is told from afar. */
const PROGRESS_PAUSE = 100;

/**
 * Tells of progress at most ten times a second, but for where stages begin and end.
 *
 * @param pause milliseconds between two words at least
 */
export function paceProgress(tell: OnProgress, pause: number = PROGRESS_PAUSE): OnProgress {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (stage, fraction) => {
    const now = performance.now();
    if (fraction > 0 && fraction < 1 && now - toldAt < pause) return;
    toldAt = now;
    tell(stage, fraction);
  };
}

/** Times the stages of a run; `report` fits wherever an `onProgress` is asked for. */
export interface StageClock {
  /** Notes how far a stage is; a new name ends the stage before it. */
  report: OnProgress;
  /** Ends the last stage and gives milliseconds by stage, in the order they began. */
  stop: () => Record<string, number>;
}

/**
 * Starts a clock. A stage that comes back adds to its time.
 *
 * @param onProgress is told all that the clock is told
 */
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
