import type { ExportedGraph } from "../compile/export-function.ts";
import { reverseList } from "../compile/reverse-list.ts";
import type { FeedArray } from "../graph/graph-feeds.ts";
import { FEW, roundSize } from "../math/round-size.ts";
import type { BatchFeeds } from "./batch-feeds.ts";

/** The reverse lists a training step asks for. */
export type ReverseSpec = ExportedGraph["reverseLists"];

/**
 * Turns the index lists of a batch around, for the backward pass.
 *
 * @param inputs name and shape of the step's inputs: where each symbolic size is found
 */
export function reverseFeeds(
  { feeds, valid }: BatchFeeds,
  specs: ReverseSpec,
  inputs: Record<string, { shape: (number | string)[] }>,
): Record<string, FeedArray> {
  const sizes = symbolicSizes(feeds, inputs);
  return Object.fromEntries(
    specs.map(({ name, of, rows }) => {
      const count = evaluateSize(rows, sizes);
      const { data, degree } = reverseList(
        feeds[of].data as Int32Array,
        count,
        valid[of],
        (degree) => roundSize(degree, FEW),
      );
      return [name, { dims: [count, degree], data }];
    }),
  );
}

function symbolicSizes(
  feeds: Record<string, FeedArray>,
  inputs: Record<string, { shape: (number | string)[] }>,
): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const [name, { dims }] of Object.entries(feeds)) {
    inputs[name]?.shape.forEach((side, axis) => {
      if (typeof side === "string") sizes[side] = dims[axis];
    });
  }
  return sizes;
}

/** A size such as 7, `V` or `12*V`. */
function evaluateSize(size: number | string, sizes: Record<string, number>): number {
  if (typeof size === "number") return size;
  return size
    .split("*")
    .map((factor) => sizes[factor] ?? Number(factor))
    .reduce((product, factor) => product * factor, 1);
}
