/** The schedule of the learning rate. */
export interface ScheduleOptions {
  /** Peak rate. */
  learningRate: number;
  /** Fraction of the run spent rising from zero to it. */
  warmUp: number;
  /** The final rate relative to the peak. */
  floor: number;
}

export const SCHEDULE_DEFAULTS: ScheduleOptions = { learningRate: 1e-3, warmUp: 0.02, floor: 0.01 };

/**
 * Returns the learning rate at a point of the run: a linear rise, then half a cosine down to the floor.
 *
 * Based on: Loshchilov and Hutter. SGDR: stochastic gradient descent with warm restarts. 2017.
 *
 * @param progress 0 at the first step, 1 at the last; by steps or by time
 */
export function learningRateAt(progress: number, options: ScheduleOptions): number {
  const { learningRate, warmUp, floor } = options;
  const at = Math.min(1, Math.max(0, progress));
  // Never zero, so that a run of one step learns something.
  if (at < warmUp) return learningRate * Math.max(0.01, at / warmUp);
  const down = warmUp < 1 ? (at - warmUp) / (1 - warmUp) : 1;
  return learningRate * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * down)));
}
