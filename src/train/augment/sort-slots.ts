import type { Sample } from "../sample.ts";

/**
 * Puts the candidates of each vertex in order again, nearest first (ties: lower bone first), after
 * their distances changed; priors and labels move with their bones.
 */
export function sortSlots(sample: Sample): Sample {
  const { distances, prior } = sample.input;
  const { k } = distances;
  const out = {
    bones: distances.bones.slice(),
    distances: distances.distances.slice(),
    prior: prior.slice(),
    labels: sample.labels.slice(),
  };
  const columns = [out.distances, out.bones, out.prior, out.labels];
  for (let start = 0; start < out.bones.length; start += k) {
    // Insertion sort: the order is nearly right already.
    for (let i = start + 1; i < start + k; i++) {
      for (let j = i; j > start && before(out.distances, out.bones, j, j - 1); j--) {
        for (const column of columns) {
          const held = column[j];
          column[j] = column[j - 1];
          column[j - 1] = held;
        }
      }
    }
  }
  return {
    ...sample,
    labels: out.labels,
    input: {
      ...sample.input,
      prior: out.prior,
      distances: { k, bones: out.bones, distances: out.distances },
    },
  };
}

/** Whether slot a belongs before slot b; empty slots stay last. */
function before(distances: Float32Array, bones: Int32Array, a: number, b: number): boolean {
  if (bones[a] < 0 || bones[b] < 0) return bones[b] < 0 && bones[a] >= 0;
  return distances[a] < distances[b] || (distances[a] === distances[b] && bones[a] < bones[b]);
}
