import type { Sample } from "../sample.ts";
import { movePoints } from "./move-points.ts";

/**
 * The sample with longest side 1, floor at y = 0, centred in x and z, as every character comes to the
 * network; distances scale along.
 */
export function renormalise(sample: Sample): Sample {
  const { positions } = sample.input.mesh;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const longest = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const scale = longest > 0 ? 1 / longest : 1;
  const offset = [(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2];
  const moved = movePoints(sample, (from, to, at) => {
    for (let axis = 0; axis < 3; axis++) to[at + axis] = (from[at + axis] - offset[axis]) * scale;
  });
  const { distances } = sample.input;
  return {
    ...moved,
    input: {
      ...moved.input,
      distances: { ...distances, distances: distances.distances.map((value) => value * scale) },
    },
  };
}
