export interface ScheduleOptions {
  /** Maximum rate. */
  learningRate: number;
  /** Fraction of the run spent on the warm-up. */
  warmUp: number;
  /** Final rate as a fraction of the maximum. */
  floor: number;
}

export const SCHEDULE_DEFAULTS: ScheduleOptions = { learningRate: 1e-3, warmUp: 0.02, floor: 0.01 };

/**
 * Returns the learning rate: a linear warm-up, then a half cosine down to the floor.
 *
 * @param progress 0 at the first step, 1 at the last
 *
 * Based on: Loshchilov and Hutter. SGDR: stochastic gradient descent with warm restarts. 2017.
 */
export function learningRateAt(progress: number, options: ScheduleOptions): number {
  const { learningRate, warmUp, floor } = options;
  const at = Math.min(1, Math.max(0, progress));
  // Never zero, or a run of one step learns nothing.
  if (at < warmUp) return learningRate * Math.max(0.01, at / warmUp);
  const down = warmUp < 1 ? (at - warmUp) / (1 - warmUp) : 1;
  return learningRate * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * down)));
}
