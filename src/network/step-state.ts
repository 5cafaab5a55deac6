/** State tensors kept between steps; outputs named by {@link renewed} replace them. */
export const STATE_NAMES = ["parameters", "first", "second", "average"] as const;

/** Scalar inputs of one step. */
export const SCALARS = [
  "learningRate",
  "firstCorrection",
  "secondCorrection",
  "averageRate",
  "weightDecay",
] as const;

/** Returns the name of the output that replaces a state tensor. */
export function renewed(name: string): string {
  return `${name}.next`;
}

/** Decay rates of the first and the second moment of the gradient. */
export const BETA1 = 0.9;
export const BETA2 = 0.99;

/** Mesh neighbors of each vertex used by the smoothing term in one step. */
export const SMOOTH_NEIGHBORS = 4;

/** Returns the slots kept when a fraction of the edges is dropped in a training step; at least one. */
export function keptSlots(width: number, fraction: number): number {
  return Math.max(1, Math.round(width * (1 - fraction)));
}
