import type { Skeleton } from "../src/skeleton/skeleton.ts";

/** A skeleton of exactly `count` joints: its longest bones are split in two, or its last joints omitted. */
export function resizeSkeleton(skeleton: Skeleton, count: number): Skeleton {
  let resized = skeleton;
  while (resized.parents.length < count) resized = splitLongest(resized);
  return keepFirst(resized, count);
}

function splitLongest({ names, parents, positions }: Skeleton): Skeleton {
  const length = (j: number) =>
    parents[j] < 0
      ? -1
      : Math.hypot(...[0, 1, 2].map((k) => positions[j * 3 + k] - positions[parents[j] * 3 + k]));
  const longest = [...parents.keys()].reduce((best, j) => (length(j) > length(best) ? j : best), 0);
  const middle = [0, 1, 2].map(
    (k) => (positions[longest * 3 + k] + positions[parents[longest] * 3 + k]) / 2,
  );
  const split = Int32Array.of(...parents, parents[longest]);
  split[longest] = parents.length;
  return {
    names: [...names, `split ${parents.length}`],
    parents: split,
    positions: Float32Array.of(...positions, ...middle),
  };
}

/** The first joints, each below its nearest kept ancestor. */
function keepFirst({ names, parents, positions }: Skeleton, count: number): Skeleton {
  const kept = parents.slice(0, count).map((parent) => {
    let ancestor = parent;
    while (ancestor >= count) ancestor = parents[ancestor];
    return ancestor;
  });
  return {
    names: names.slice(0, count),
    parents: kept,
    positions: positions.slice(0, count * 3),
  };
}
