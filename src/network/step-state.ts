/** State tensors that live from step to step; outputs of the same name with a prime replace them. */
export const STATE_NAMES = ["parameters", "first", "second", "average"] as const;

/** Numbers of one step, without dimensions. */
export const SCALARS = [
  "learningRate",
  "firstCorrection",
  "secondCorrection",
  "averageRate",
  "weightDecay",
] as const;

/** Name of the output that renews a state tensor. */
export function renewed(name: string): string {
  return `${name}.next`;
}

/** How far back the first and the second moment of the gradient look, per step. */
export const BETA1 = 0.9;
export const BETA2 = 0.99;

/** Mesh neighbors of each vertex that the smoothing term looks at in one step. */
export const SMOOTH_NEIGHBORS = 4;

/** Slots that stay when a share of the edges is left out of a training step; at least one. */
export function keptSlots(width: number, share: number): number {
  return Math.max(1, Math.round(width * (1 - share)));
}
