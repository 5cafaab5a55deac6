/** Mesh neighbours of each vertex that the smoothing term looks at in one step. */
export const SMOOTH_NEIGHBOURS = 4;

/** Slots that stay when a share of the edges is left out of a training step; at least one. */
export function keptSlots(width: number, share: number): number {
  return Math.max(1, Math.round(width * (1 - share)));
}
