/** Times the stages of a run; `report` fits wherever an `onProgress` is asked for. */
export interface StageClock {
  /** Notes how far a stage is; a new name ends the stage before it. */
  report: (stage: string, fraction: number) => void;
  /** Ends the last stage and gives milliseconds by stage, in the order they began. */
  stop: () => Record<string, number>;
}

/**
 * Starts a clock. A stage that comes back adds to its time.
 *
 * @param onProgress is told all that the clock is told
 */
export function startStageClock(
  onProgress?: (stage: string, fraction: number) => void,
): StageClock {
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
