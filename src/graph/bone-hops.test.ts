import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { boneHops, MAX_HOPS } from "./pair-features.ts";

/** Shortest paths by Floyd and Warshall, truncated at the limit. */
function allPaths(parents: Int32Array): number[] {
  const B = parents.length;
  const hops: number[] = Array.from({ length: B * B }, (_, i) => (i % (B + 1) === 0 ? 0 : 1e9));
  parents.forEach((parent, b) => {
    if (parent >= 0) hops[b * B + parent] = hops[parent * B + b] = 1;
  });
  for (let via = 0; via < B; via++) {
    for (let a = 0; a < B; a++) {
      for (let b = 0; b < B; b++) {
        hops[a * B + b] = Math.min(hops[a * B + b], hops[a * B + via] + hops[via * B + b]);
      }
    }
  }
  return hops.map((value) => Math.min(value, MAX_HOPS));
}

test.each([1, 2, 3, 4, 5])("counts joints along all shortest paths (seed %i)", (seed) => {
  const random = createRandom(seed);
  const parents = Int32Array.from({ length: 30 }, (_, b) =>
    // Two roots, and long chains occasionally.
    b === 0 || b === 17 ? -1 : random() < 0.6 ? b - 1 : Math.floor(random() * b),
  );
  const hops = boneHops(parents);
  expect([...hops]).toEqual(allPaths(parents));
  expect(Math.max(...hops)).toBe(MAX_HOPS);
});
